import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// B070 where it does harm: in an output directory that takes some names for one.
@Suite(.blocking) struct FoldingCases {
  /// A file system in an image, mounted for as long as one process runs.
  enum Image: String, CaseIterable {
    case ext4 = """
      mke2fs -q -t ext4 -O casefold -E encoding=utf8 "$image" && mount -o loop "$image" "$mounted" &&
        mkdir "$mounted/out" && chattr +F "$mounted/out"
      """
    case vfat = """
      mkfs.vfat "$image" && mount -o loop "$image" "$mounted" && mkdir "$mounted/out"
      """
    case ntfs = """
      mkntfs -qF "$image" && lowntfs-3g -o ignore_case "$image" "$mounted" && mkdir "$mounted/out"
      """

    /// Runs a program, in whose output directory `mounted/out` names are folded.
    func wrap(_ launch: Launch) -> Launch {
      let script = """
        image=image; mounted=mounted; PATH=$PATH:/usr/sbin:/sbin
        mkdir -p mounted && truncate -s 16M image || exit 125
        { \(rawValue); } >/dev/null 2>&1 || { umount mounted 2>/dev/null; exit 125; }
        "$@"
        status=$?
        umount mounted || exit 125
        exit $status
        """
      return launch.with {
        $0.arguments = ["-m", "sh", "-c", script, "sh", launch.executable] + launch.arguments
        $0.executable = "unshare"
      }
    }

    /// The kinds that this machine's kernel and rights allow.
    static let available = allCases.filter { image in
      guard geteuid() == 0, let directory = try? TemporaryDirectory() else { return false }
      let launch = image.wrap(Launch("true")).with { $0.workingDirectory = directory.path }
      return (try? ChildProcess.run(launch))?.exitStatus == 0
    }
  }

  private static let isPossible = !Image.available.isEmpty

  @Test(
    .enabled(
      if: isPossible,
      "only root can mount, and the kernel has to know ext4's casefold, vfat or FUSE"),
    arguments: ["run", "plan"])
  func B070_whatTheOutputDirectoryFoldsIsRefused(command: String) throws {
    for image in Image.available {
      let server = try TestServer(["*": [.respond(Response(body: "x"))]])
      let site = try NetworkSite()
      let pairs = [("A/x.bin", "a/x.bin"), ("\u{E9}.bin", "e\u{301}.bin")]
      for (first, second) in image == .ext4 ? pairs : [pairs[0]] {
        let manifest = """
          files:
            - {id: first, url: "\(server.url("/one"))", dest: "\(first)"}
            - {id: second, url: "\(server.url("/two"))", dest: "\(second)"}
          """
        var launch = try site.launch(manifest, ["--out", "mounted/out"])
        launch.arguments[0] = command
        let run = try site.finished(ChildProcess.run(image.wrap(launch)))
        #expect(run.exitStatus == 2, "\(image): \(run)")
        for word in ["`first`", "`second`", "manifest.yaml:2:5", "manifest.yaml:3:5"] {
          #expect(run.errorText.contains(word), "\(image): \(run)")
        }
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test(
    .enabled(
      if: isPossible,
      "only root can mount, and the kernel has to know ext4's casefold, vfat or FUSE"))
  func B070_whatStaysApartIsPlacedAsEver() throws {
    for image in Image.available {
      let server = try TestServer(["*": [.respond(Response(body: "x"))]])
      let site = try NetworkSite()
      let manifest =
        "files: [{id: a, url: '\(server.url("/A"))', dest: A/x}, {id: b, url: '\(server.url("/b"))', dest: a/y}]"
      let launch = try site.launch(manifest, ["--out", "mounted/out"])
      let run = try site.finished(ChildProcess.run(image.wrap(launch)))
      #expect(run.exitStatus == 0, "\(image): \(run)")
    }
  }
}
