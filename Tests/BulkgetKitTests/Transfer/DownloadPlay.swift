import Foundation
import Testing

@testable import BulkgetKit

/// Plays one download against a list of answers, without network, threads or a clock, and writes down what it did.
struct DownloadPlay {
  /// What the transport has to tell about one request.
  struct Answer {
    var head: ResponseHead?
    var byteCount: Int64 = 0
    var fault: TransferFault?

    /// A response with so many bytes of body, and with their number as its length unless it says something itself.
    static func status(
      _ status: Int, bytes: Int64 = 0, _ fields: [String: String] = [:],
      isDelimited: Bool = true, cutAt: Int64? = nil, fault: TransferFault = .truncated("cut")
    ) -> Answer {
      var head = ResponseHead(
        status: status, fields: fields.map { HeaderField(name: $0.key, value: $0.value) })
      if isDelimited, head["Content-Length"] == nil, head["Transfer-Encoding"] == nil {
        head.fields.append(HeaderField(name: "Content-Length", value: "\(bytes)"))
      }
      return Answer(head: head, byteCount: cutAt ?? bytes, fault: cutAt == nil ? nil : fault)
    }

    /// A 206 for everything from `offset` on.
    static func part(
      from offset: Int64, of total: Int64, _ fields: [String: String] = [:], cutAt: Int64? = nil
    ) -> Answer {
      let range = ["Content-Range": "bytes \(offset)-\(total - 1)/\(total)"]
      return .status(
        206, bytes: total - offset, range.merging(fields) { $1 }, cutAt: cutAt)
    }

    /// No answer at all.
    static func fault(_ fault: TransferFault) -> Answer { Answer(fault: fault) }
  }

  private(set) var machine: Download
  private(set) var requests: [TransferRequest] = []
  private(set) var receptions: [Download.Reception] = []
  private(set) var waits: [Duration] = []
  private(set) var discardCount = 0
  private(set) var hangUpCount = 0
  private(set) var ending: Download.Ending?
  private var answers: [Answer]
  private var digests: [[Digest]]
  private let isHTML: Bool
  private let copied: (byteCount: Int64, failure: Failure?)
  private let moment: Download.Moment

  /// The digests are those of each thing that is hashed; the last of them stays.
  init(
    _ order: Download.Order, found partial: CacheSnapshot.Partial? = nil, _ answers: [Answer] = [],
    digests: [[Digest]] = [[]], isHTML: Bool = false,
    copied: (byteCount: Int64, failure: Failure?) = (0, nil), jitter: Double = 1,
    keepsPartials: Bool = true
  ) {
    machine = Download(order)
    machine.keepsPartials = keepsPartials
    self.answers = answers
    self.digests = digests
    self.isHTML = isHTML
    self.copied = copied
    moment = Download.Moment(
      date: Date(timeIntervalSince1970: 1_000_000_000), instant: .now, jitter: jitter)
    perform(machine.handle(.start(partial), at: moment))
  }

  // MARK: What came of it

  /// The failure's code, `complete` or `not-modified`.
  var result: String {
    switch ending {
    case .complete: "complete"
    case .notModified: "not-modified"
    case .failed(let failure): failure.code.rawValue
    case nil: "unfinished"
    }
  }

  var message: String {
    if case .failed(let failure) = ending { failure.message } else { "" }
  }

  /// The code of each try's failure, `-` for none.
  var tries: [String] { machine.attempts.map { $0.failure?.code.rawValue ?? "-" } }

  /// A field's value in each request.
  func sent(_ name: String) -> [String?] {
    requests.map { request in
      request.headerLines.first { $0.hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.utf8.count + 2)) }
    }
  }

  var urls: [String] { requests.map(\.url) }

  // MARK: Playing

  private mutating func perform(_ actions: [Download.Action]) {
    for action in actions {
      switch action {
      case .send(let request):
        requests.append(request)
        answer()
      case .copy:
        tell(.copied(byteCount: copied.byteCount, failure: copied.failure))
      case .hash:
        if machine.isSuspicious, isHTML {
          tell(.looksLikeHTML)
        } else {
          tell(.hashed(digests.count > 1 ? digests.removeFirst() : digests[0]))
        }
      case .discardPartial: discardCount += 1
      case .wait(let duration, _, _):
        waits.append(duration)
        tell(.start(nil))
      case .finish(let ending):
        #expect(self.ending == nil, "it ended twice")
        self.ending = ending
      case .receive, .ignoreBody, .hangUp:
        Issue.record("\(action) without a head")
      }
    }
  }

  private mutating func tell(_ event: Download.Event) {
    perform(machine.handle(event, at: moment))
  }

  private mutating func answer() {
    guard !answers.isEmpty else {
      Issue.record("one request too many: \(urls)")
      return
    }
    let answer = answers.removeFirst()
    guard let head = answer.head else { return tell(.ended(answer.fault, byteCount: 0)) }
    switch machine.handle(.head(head), at: moment).first {
    case .receive(let reception):
      receptions.append(reception)
      receive(answer, reception)
    case .ignoreBody: tell(.ended(answer.fault, byteCount: 0))
    default:
      hangUpCount += 1
      tell(.ended(.stopped, byteCount: 0))
    }
  }

  private mutating func receive(_ answer: Answer, _ reception: Download.Reception) {
    guard let limit = reception.limit, let excess = reception.excess,
      reception.offset + answer.byteCount > limit
    else { return tell(.ended(answer.fault, byteCount: answer.byteCount)) }
    tell(.refused(excess))
    tell(.ended(.stopped, byteCount: limit - reception.offset))
  }
}

extension Download.Order {
  /// An order for these URLs.
  static func sample(
    _ urls: String..., digests: [Digest] = [], size: Int64? = nil, retries: Int = 0,
    _ change: (inout Download.Order) throws -> Void = { _ in }
  ) throws -> Download.Order {
    var entry = try Entry.sample("a", urls: urls.isEmpty ? nil : urls, digests: digests)
    entry.size = size
    var order = Download.Order(entry: entry)
    order.policy.retries = retries
    try change(&order)
    return order
  }
}

/// A digest that stands for right bytes, or for wrong ones.
func digest(_ byte: UInt8, _ algorithm: DigestAlgorithm = .sha256) throws -> Digest {
  try #require(Digest(algorithm, bytes: Array(repeating: byte, count: algorithm.byteCount)))
}
