import BulkgetSystem

/// strace, which shows a program's system calls and can make them fail.
package enum SystemCallTracer {
  static let path = "/usr/bin/strace"

  /// Why there is none; nil where there is one.
  package static let obstacle: String? =
    FileSystem.isReadable(path) ? nil : "there is no strace to look on"
}

extension Launch {
  /// The same program with its children under the tracer.
  package func traced(_ options: [String]) -> Launch {
    with {
      $0.arguments = ["-f"] + options + [executable] + arguments
      $0.executable = SystemCallTracer.path
    }
  }
}
