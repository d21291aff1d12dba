import Foundation

extension Scalar {
  /// The rule for the expected value of each column.
  static let expected: [String: ExpectedValue.Rule] = [
    "number": ExpectedValue.integer(Int.self), "text": ExpectedValue.text,
    "note": ExpectedValue.optional(ExpectedValue.text),
    "small": ExpectedValue.integer(Int8.self), "natural": ExpectedValue.integer(UInt32.self),
    "huge": ExpectedValue.integer(UInt64.self), "isTrue": ExpectedValue.truth,
    "isSure": ExpectedValue.optional(ExpectedValue.truth), "ratio": ExpectedValue.float,
    "real": ExpectedValue.optional(ExpectedValue.real), "born": ExpectedValue.real,
    "token": ExpectedValue.uuid, "link": ExpectedValue.link, "amount": ExpectedValue.decimal,
    "data": ExpectedValue.bytes, "bytes": ExpectedValue.optional(ExpectedValue.bytes),
    "mood": ExpectedValue.rawValue(Mood.self),
    "rank": ExpectedValue.optional(ExpectedValue.rawValue(Rank.self)),
    "job": ExpectedValue.optional(ExpectedValue.json(Job.self) { text($0) }),
    "tags": ExpectedValue.json(Set<String>.self) { "\($0.sorted())" },
    "lines": ExpectedValue.json([String].self) { "\($0)" },
    "scores": ExpectedValue.json([String: Int].self) { text($0) },
  ]

  /// The text of the fetched value of each column.
  var texts: [String: String] {
    func bytes(_ text: String?) -> String { text.map { "\(Array($0.utf8))" } ?? "nil" }
    func plain(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "nil" }
    return [
      "number": "\(number)", "text": bytes(text), "note": bytes(note), "small": "\(small)",
      "natural": "\(natural)", "huge": "\(huge)", "isTrue": "\(isTrue)", "isSure": plain(isSure),
      "ratio": "\(ratio.bitPattern)", "real": plain(real?.bitPattern),
      "born": "\(born.timeIntervalSinceReferenceDate.bitPattern)", "token": token.uuidString,
      "link": link.absoluteString, "amount": "\(amount)", "data": "\(Array(data))",
      "bytes": plain(self.bytes), "mood": bytes(mood.rawValue), "rank": plain(rank?.rawValue),
      "job": plain(job.map(Self.text)), "tags": "\(tags.sorted())", "lines": "\(lines)",
      "scores": Self.text(scores),
    ]
  }

  private static func text(_ job: Job) -> String { "\(job.title) \(job.days)" }

  private static func text(_ scores: [String: Int]) -> String {
    "\(scores.sorted { $0.key < $1.key })"
  }
}
