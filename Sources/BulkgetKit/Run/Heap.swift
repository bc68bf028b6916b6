/// A queue that gives the least element first: the one at `i` comes before those at `2i+1` and `2i+2`.
struct Heap<Element: Comparable & Sendable>: Sendable {
  /// All elements, in no useful order but that the first is the least.
  private(set) var elements: [Element] = []

  var first: Element? { elements.first }
  var isEmpty: Bool { elements.isEmpty }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, elements[index] < elements[(index - 1) / 2] {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes the least element out.
  mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    elements[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      if least == index { return first }
      elements.swapAt(index, least)
      index = least
    }
  }
}
