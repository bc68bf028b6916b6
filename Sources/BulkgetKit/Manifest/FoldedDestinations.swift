import BulkgetSystem
import Foundation

/// Destinations by what is left of them when names are folded.
struct FoldedDestinations {
  private struct Use {
    var number: Int
    var path: String
  }
  private let folding: NameFolding
  private var files: [ExactText: Use] = [:]
  private var directories: [ExactText: Use] = [:]

  init(_ folding: NameFolding) {
    self.folding = folding
  }

  /// Adds a path and gives the number of an earlier one that it collides with only when folded.
  mutating func add(_ path: String, number: Int) -> Int? {
    let folded = folding.folded(path)
    var collision: Int?
    if let use = files[folded] {
      if !isSameText(use.path, path) { collision = use.number }
    } else {
      files[folded] = Use(number: number, path: path)
    }
    if let use = directories[folded], !isSameText(use.path, path) {
      collision = collision ?? use.number
    }
    var parent = path[...]
    while let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/")) {
      parent = parent[..<slash]
      let text = String(parent)
      let foldedParent = folding.folded(text)
      if let use = files[foldedParent], !isSameText(use.path, text) {
        collision = collision ?? use.number
      }
      if directories[foldedParent] != nil { break }
      directories[foldedParent] = Use(number: number, path: text)
    }
    return collision
  }
}

extension NameFolding {
  /// What all paths have in common that are one where names are folded in this way.
  ///
  /// Upper-casing first also folds letters that have no capital of their own, as in `ß` and `ss`.
  fileprivate func folded(_ path: String) -> ExactText {
    if path.utf8.allSatisfy({ $0 < 0x80 }) {
      return ExactText(letterCase ? path.lowercased() : path)
    }
    let text = letterCase ? path.uppercased().lowercased() : path
    return ExactText(unicodeForms ? text.precomposedStringWithCanonicalMapping : text)
  }
}
