extension Platform {
  /// What other tools call OCI's words.
  private static let words = [
    "x86_64": "amd64", "x64": "amd64", "x86-64": "amd64", "aarch64": "arm64", "armv8": "arm64",
    "i386": "386", "i686": "386", "x86": "386", "armv7l": "arm", "armhf": "arm", "macos": "darwin",
    "osx": "darwin", "mac": "darwin", "win32": "windows", "win64": "windows",
  ]

  private static let systems: Set<String> = [
    "linux", "darwin", "windows", "freebsd", "macos", "osx",
  ]

  /// The platform that was probably meant; nil where the text is right or nothing comes to mind.
  static func correction(of text: String) -> String? {
    let lowered = text.lowercased()
    var parts = lowered.split(separator: "/").map(String.init)
    if parts.count == 1, let system = systems.first(where: lowered.hasPrefix) {
      parts = [system, String(lowered.dropFirst(system.count + 1))]
    }
    guard parts.count == 2 else { return nil }
    let corrected = parts.map { words[$0] ?? $0 }.joined(separator: "/")
    return corrected != text && Platform(corrected) != nil ? corrected : nil
  }
}
