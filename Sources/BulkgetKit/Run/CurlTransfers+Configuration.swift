import BulkgetSystem

extension CurlTransfers {
  /// The transport that a configuration asks for.
  convenience init(_ configuration: Configuration) throws(RunError) {
    var settings = CurlSettings()
    settings.userAgent = "bulkget/\(BulkgetVersion.current)"
    settings.connectTimeout = Int(configuration.connectTimeout.timeInterval * 1000)
    if let rate = configuration.bytesPerSecond {
      // Pieces of an eighth of a second, so that a low rate is smooth too.
      settings.bufferSize = Int(min(Int64(settings.bufferSize), max(1024, rate / 8)))
    }
    settings.certificateAuthorityFile = configuration.certificateAuthorityFile
    settings.certificateAuthorityDirectory = configuration.certificateAuthorityDirectory
    do throws(CurlError) {
      try self.init(
        settings, stallTimeout: configuration.stallTimeout,
        maximumIdleConnections: min(configuration.jobs, 256),
        bytesPerSecond: configuration.bytesPerSecond)
    } catch {
      throw .transport(error.description)
    }
  }
}
