#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A user to whom things are forbidden, which nothing is to root.
package enum OrdinaryUser {
  private static let setpriv = "/usr/bin/setpriv"

  /// Why programs can't be started as one here; nil where they can.
  package static let obstacle =
    geteuid() != 0 || access(setpriv, X_OK) == 0
    ? nil : "root ignores permissions, and there is no setpriv to stop being it"

  private static let words = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]

  fileprivate static func lowering(_ launch: Launch) -> Launch {
    guard geteuid() == 0 else { return launch }
    return launch.with {
      $0.executable = setpriv
      $0.arguments = words + [launch.executable] + launch.arguments
    }
  }
}

extension Launch {
  /// A copy without root's rights; one of an ordinary user's as it is.
  package func asOrdinaryUser() -> Launch { OrdinaryUser.lowering(self) }
}
