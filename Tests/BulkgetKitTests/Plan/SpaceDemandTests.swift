import BulkgetSystem
import Testing

@testable import BulkgetKit

/// Whether there is room for a plan.
struct SpaceDemandTests {
  private func step(
    _ action: Step.Action, bytes: Int64?, isPlaced: Bool = false, resumed: Int64 = 0
  ) throws -> Step {
    var entry = Entry(
      key: FileKey("a"), sources: [.remote(try ResourceURL("http://h/a"))], type: nil)
    entry.destination = isPlaced ? try DestinationPath("a") : nil
    var step = Step(entry: entry, action: action, reason: .missing, byteCount: bytes)
    step.resumedByteCount = resumed
    return step
  }

  private func demand(_ steps: Step...) -> SpaceDemand {
    SpaceDemand(of: Plan(manifests: [Manifest(path: "m.yaml")], steps: steps, warnings: []))
  }

  private func space(_ bytes: Int64?, device: UInt64 = 1) -> FileSystemSpace {
    FileSystemSpace(device: device, byteCount: bytes)
  }

  private func shortage(
    _ demand: SpaceDemand, cache: FileSystemSpace, output: FileSystemSpace? = nil,
    sharesBlocks: Bool = false
  ) -> SpaceDemand.Shortage? {
    demand.shortage(cache: cache, output: output ?? cache) { sharesBlocks }
  }

  @Test func whatIsThereAlreadyNeedsNoRoom() throws {
    let demand = demand(
      try step(.keep, bytes: 1000), try step(.skip, bytes: 1000),
      try step(.resume, bytes: 100, resumed: 40), try step(.download, bytes: nil))
    #expect(demand.cacheByteCount == 60)
    #expect(shortage(demand, cache: space(60)) == nil)
    let expected = SpaceDemand.Shortage(role: .cache, needed: 60, available: 59)
    #expect(shortage(demand, cache: space(59)) == expected)
  }

  @Test func aFileSystemThatDoesNotSayHasRoom() throws {
    #expect(shortage(demand(try step(.download, bytes: 100)), cache: space(nil)) == nil)
  }

  @Test func copiesOnTheCachesFileSystemCountUnlessTheyShareBlocks() throws {
    let demand = demand(try step(.download, bytes: 100, isPlaced: true))
    #expect(shortage(demand, cache: space(199)) != nil)
    #expect(shortage(demand, cache: space(200)) == nil)
    #expect(shortage(demand, cache: space(199), sharesBlocks: true) == nil)
    #expect(shortage(demand, cache: space(99), sharesBlocks: true) != nil)
  }

  @Test func anotherFileSystemHasToHoldTheCopies() throws {
    let demand = demand(try step(.place, bytes: 100, isPlaced: true))
    let expected = SpaceDemand.Shortage(role: .output, needed: 100, available: 99)
    #expect(shortage(demand, cache: space(0), output: space(99, device: 2)) == expected)
    #expect(shortage(demand, cache: space(0), output: space(100, device: 2)) == nil)
  }
}
