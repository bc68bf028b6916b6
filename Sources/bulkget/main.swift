import BulkgetCLI
import Foundation

exit(
  BulkgetCLI.CommandLine.main(
    Swift.CommandLine.arguments, environment: ProcessInfo.processInfo.environment))
