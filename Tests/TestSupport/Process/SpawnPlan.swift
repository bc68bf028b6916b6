import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is handed to `posix_spawn`, with the C objects' memory.
struct SpawnPlan: ~Copyable {
  private let actions = UnsafeMutablePointer<posix_spawn_file_actions_t>.allocate(capacity: 1)
  private let attributes = UnsafeMutablePointer<posix_spawnattr_t>.allocate(capacity: 1)

  init(startsSession: Bool) {
    posix_spawn_file_actions_init(actions)
    posix_spawnattr_init(attributes)
    // A test's runner may ignore or block signals; a user's shell doesn't.
    let all = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { all.deallocate() }
    sigemptyset(all)
    posix_spawnattr_setsigmask(attributes, all)
    for signal in [
      SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH, SIGXFSZ,
    ] {
      sigaddset(all, signal)
    }
    posix_spawnattr_setsigdefault(attributes, all)
    posix_spawnattr_setpgroup(attributes, 0)
    let signals = CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETSIGMASK)
    let group = startsSession ? Self.setSession : CInt(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(attributes, CShort(signals | group))
  }

  deinit {
    posix_spawn_file_actions_destroy(actions)
    posix_spawnattr_destroy(attributes)
    actions.deallocate()
    attributes.deallocate()
  }

  #if canImport(Darwin)
    private static let setSession: CInt = 0x400
  #else
    // POSIX_SPAWN_SETSID, which Glibc shows to GNU programs only.
    private static let setSession: CInt = 0x80
  #endif

  func open(_ path: String, _ flags: CInt, as descriptor: CInt) {
    posix_spawn_file_actions_addopen(actions, descriptor, path, flags, 0o666)
  }

  func use(_ source: CInt, as descriptor: CInt) {
    posix_spawn_file_actions_adddup2(actions, source, descriptor)
  }

  func close(_ descriptor: CInt) {
    posix_spawn_file_actions_addclose(actions, descriptor)
  }

  /// Closes in the child what this process was itself given and doesn't know of.
  private func closeInheritable(except kept: Set<CInt>) throws(SystemError) {
    for name in try FileSystem.names(in: "/dev/fd") ?? [] {
      guard let descriptor = CInt(name), descriptor > STDERR_FILENO, !kept.contains(descriptor)
      else { continue }
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0 { close(descriptor) }
    }
  }

  /// Starts the process; its id.
  func spawn(
    _ words: [String], environment: [String], keeping kept: Set<CInt> = []
  ) throws(SystemError) -> pid_t {
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    return try withoutSpawning { () throws(SystemError) in
      try closeInheritable(except: kept)
      var process: pid_t = 0
      let code = posix_spawnp(&process, words[0], actions, attributes, arguments, variables)
      guard code == 0 else { throw SystemError("run", words[0], code: code) }
      return process
    }
  }
}
