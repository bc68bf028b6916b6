import BulkgetSystem
import Glibc

/// Makes a named pipe.
func makePipe(_ path: String) throws(SystemError) {
  try systemCall("make", path) { unsafe mkfifo(path, 0o666) }
}
