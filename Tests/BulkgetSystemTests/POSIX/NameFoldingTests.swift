import TestSupport
import Testing

@testable import BulkgetSystem

@Suite struct NameFoldingTests {
  #if canImport(Darwin)
    @Test func unicodeFormsAreFolded() throws {
      #expect(try NameFolding(of: TemporaryDirectory().path).unicodeForms)
    }
  #else
    @Test func anOrdinaryDirectoryFoldsNothing() throws {
      let root = try TemporaryDirectory()
      #expect(try NameFolding(of: root.path) == NameFolding())
      try root.write("x", to: "name")
      #expect(try NameFolding(of: root.path) == NameFolding())
      try FileSystem.makeHardLink(root.path("NAME"), to: root.path("name"))
      #expect(try NameFolding(of: root.path) == NameFolding())
    }

    @Test func lookingChangesNothing() throws {
      let root = try TemporaryDirectory()
      try root.write("x", to: "name")
      let before = try root.contents()
      _ = try NameFolding(of: root.path)
      #expect(try root.contents() == before)
    }

    @Test func whatIsNotThereCannotBeLookedAt() throws {
      let root = try TemporaryDirectory()
      #expect(throws: SystemError.self) { try NameFolding(of: root.path("none")) }
    }

    @Test func theMountTableTellsTheTypeByDevice() {
      let table = MountTable(
        text: """
          22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
          36 22 7:1 / /mnt/a\\040b rw shared:5 master:2 - vfat /dev/loop1 rw,fmask=0022
          37 22 259:300 / /x rw - exfat /dev/nvme rw
          """)
      #expect(table.types(ofDevice: 7 << 8 | 1) == ["vfat"])
      #expect(table.types(ofDevice: 254 << 8) == ["ext4"])
      // Minor numbers from 256 on have their upper bits above the major number.
      #expect(table.types(ofDevice: 259 << 8 | 300 & 0xFF | (300 & ~0xFF) << 12) == ["exfat"])
      #expect(table.types(ofDevice: 1) == [])
    }
  #endif
}
