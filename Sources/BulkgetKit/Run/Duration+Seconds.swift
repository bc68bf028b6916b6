extension Duration {
  /// In seconds.
  var timeInterval: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
