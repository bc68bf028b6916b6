import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Sets `errno`, as a failed system call does.
func setErrorNumber(_ code: CInt) {
  errno = code
}

/// Makes a named pipe.
func makePipe(_ path: String) throws(SystemError) {
  try systemCall("make", path) { mkfifo(path, 0o666) }
}
