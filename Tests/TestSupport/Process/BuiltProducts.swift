import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#endif

/// Where SwiftPM has put the executables that were built with the running tests.
package enum BuiltProducts {
  /// The absolute path of an executable, such as `bulkget` or `loopback-server`.
  package static func path(of name: String) throws -> String {
    let start = ownImage
    var directory = FileSystem.parentDirectory(of: start)
    while directory != "/", directory != "." {
      let path = "\(directory)/\(name)"
      if try FileSystem.status(of: path)?.kind == .file { return path }
      directory = FileSystem.parentDirectory(of: directory)
    }
    throw ToolError(
      "`\(name)` is not beside the tests at `\(start)`", hint: "run `swift build` or `swift test`")
  }

  private static var ownImage: String {
    #if canImport(Darwin)
      var image = Dl_info()
      // The tests are a bundle that is loaded into another program.
      guard dladdr(#dsohandle, &image) != 0, let name = image.dli_fname else { return "/" }
      return FileSystem.canonicalPath(of: String(cString: name)) ?? "/"
    #else
      FileSystem.canonicalPath(of: "/proc/self/exe") ?? "/"
    #endif
  }
}
