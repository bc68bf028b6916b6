import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs everything and gives the exit status; what it made is gone when it returns.
func status(of words: some Sequence<String>) -> CInt {
  do {
    let arguments = try BenchmarkArguments(words)
    if arguments.wantsHelp {
      print(BenchmarkArguments.usage, terminator: "")
      return 0
    }
    let interruption = Interruption()
    try interruption.listen()
    return try Benchmark(arguments: arguments, interruption: interruption).run() ? 0 : 1
  } catch let refusal as BenchmarkArguments.Refusal {
    complain("error: \(refusal)\nhint: run `bulkget-bench --help`\n")
    return 2
  } catch let stopped as Interruption.Stopped {
    return 128 + stopped.signal
  } catch {
    complain("error: \(error)\n")
    return 4
  }
}

/// Writes to standard error, whose closing is no reason to fail.
func complain(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

exit(status(of: CommandLine.arguments.dropFirst()))
