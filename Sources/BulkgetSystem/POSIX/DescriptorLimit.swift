#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The limit on open files of this process. The corresponding C functions are `getrlimit` and `setrlimit`.
package enum DescriptorLimit {
  /// Raises the soft limit to the hard one, where the system allows it, and gives what is in force then.
  package static func raise() -> Int {
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0 else { return 256 }
    if limits.rlim_cur < limits.rlim_max {
      var raised = limits
      raised.rlim_cur = min(limits.rlim_max, 65_536)
      if setrlimit(resource, &raised) == 0 { limits = raised }
    }
    return Int(clamping: limits.rlim_cur)
  }

  #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
  #else
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
}
