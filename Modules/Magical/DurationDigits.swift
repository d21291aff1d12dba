/// The stored text of a duration: whole seconds, rounded down, and the attoseconds that remain.
struct DurationDigits: Equatable {
  /// The number of attoseconds in a second.
  static let attoseconds: Int64 = 1_000_000_000_000_000_000

  let seconds: Int64
  /// At least 0 and less than a second.
  let attoseconds: Int64

  private static let secondsWidth = 19
  private static let fractionWidth = 18
  /// What is added to negative seconds, so that the texts are ordered as the durations are.
  private static let complement: UInt64 = 10_000_000_000_000_000_000

  init(seconds: Int64, attoseconds: Int64) {
    self.seconds = seconds
    self.attoseconds = attoseconds
  }

  /// Parses a text; nil if it is not exactly what ``text`` returns for a duration.
  init?(_ text: String) {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    guard let whole = Self.number(&rest, width: Self.secondsWidth),
      rest.popFirst() == UInt8(ascii: "."),
      let fraction = Self.number(&rest, width: Self.fractionWidth), rest.isEmpty
    else { return nil }
    let seconds = Int64(truncatingIfNeeded: isNegative ? whole &- Self.complement : whole)
    guard (seconds < 0) == isNegative else { return nil }
    self.init(seconds: seconds, attoseconds: Int64(fraction))
  }

  var text: String {
    let isNegative = seconds < 0
    let whole = UInt64(bitPattern: seconds) &+ (isNegative ? Self.complement : 0)
    return (isNegative ? "-" : "") + Self.padded(whole, to: Self.secondsWidth) + "."
      + Self.padded(UInt64(attoseconds), to: Self.fractionWidth)
  }

  private static func padded(_ number: UInt64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }

  /// Takes a number of exactly `width` digits from the text; nil if it does not begin with one.
  private static func number(_ text: inout Substring.UTF8View, width: Int) -> UInt64? {
    var number: UInt64 = 0
    for _ in 0..<width {
      guard let byte = text.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      else { return nil }
      number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
