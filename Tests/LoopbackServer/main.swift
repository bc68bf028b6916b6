import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits for the end of standard input where it is a pipe, so that nobody is left behind when the one who started
/// this dies; else for a signal.
func waitForTheEnd() {
  var status = stat()
  guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
    while true { pause() }
  }
  var byte: UInt8 = 0
  while true {
    let count = read(STDIN_FILENO, &byte, 1)
    if count == 0 || (count < 0 && errno != EINTR) { return }
  }
}

/// Writes at once, also into a pipe, whose reader waits for the line.
func printNow(_ text: String) {
  print(text)
  fflush(nil)
}

/// Writes to standard error.
func complain(_ text: String) {
  let bytes = Array(text.utf8)
  write(STDERR_FILENO, bytes, bytes.count)
}

guard let arguments = ServerArguments(CommandLine.arguments.dropFirst()) else {
  complain(ServerArguments.usage)
  exit(2)
}
if arguments.printsDigests {
  for file in DemoFiles.all {
    print("\(file.body.count) \(file.body.hexadecimalDigest()) \(file.path)")
  }
  exit(0)
}
var options = TestServer.Options()
options.port = arguments.port
do {
  let routes = arguments.servesDemo ? DemoFiles.routes : [:]
  let server = try TestServer(routes, options: options)
  if let root = arguments.root {
    let directory = ServedDirectory(root: root)
    server.route("*", .compute { directory.response(to: $0) })
  }
  printNow("listening on \(server.url(""))")
  waitForTheEnd()
  server.stop()
} catch {
  complain("error: \(error)\n")
  exit(1)
}
