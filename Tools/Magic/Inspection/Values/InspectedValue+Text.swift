import Foundation

/// Values as text and as JSON, by their form.
extension InspectedValue {
  /// The value as text on any number of lines, as a person reads it; nil for NULL.
  ///
  /// A value whose storage class is not that of the form is shown as it is stored.
  public func text(as form: InspectedForm) -> String? {
    switch stored {
    case .null: return nil
    case .integer(let number):
      if form == .bool, number == 0 || number == 1 { return number == 1 ? "true" : "false" }
      if form == .date { return InspectedDate.text(Double(number)) }
      return String(number)
    case .real(let number):
      if form == .date { return InspectedDate.text(number) }
      return Self.shortest(number)
    case .text(let text): return form == .duration ? Self.duration(text) ?? text : text
    case .blob(let bytes):
      if form == .json { return String(decoding: bytes, as: UTF8.self) }
      if form == .uuidBytes, let uuid = Self.uuid(bytes) { return uuid }
      return "\(byteCount.formatted(.byteCount(style: .file)))"
    }
  }

  /// The value as JSON: dates as texts of ISO 8601, JSON documents as they are, other blobs as
  /// base64.
  public func json(as form: InspectedForm) -> JSONNode {
    switch stored {
    case .null: return .null
    case .integer(let number):
      if form == .bool, number == 0 || number == 1 { return .bool(number == 1) }
      if form == .date { return .string(InspectedDate.text(Double(number))) }
      return .integer(number)
    case .real(let number):
      return form == .date ? .string(InspectedDate.text(number)) : .real(number)
    case .text(let text): return .string(form == .duration ? Self.duration(text) ?? text : text)
    case .blob(let bytes):
      if form == .json, !isTruncated, JSONNode.isDocument(bytes) {
        // A line break in a document is only between its tokens.
        let line = String(decoding: bytes, as: UTF8.self).map { $0.isNewline ? " " : String($0) }
        return .document(line.joined())
      }
      if form == .uuidBytes, let uuid = Self.uuid(bytes) { return .string(uuid) }
      return .string(Data(bytes).base64EncodedString())
    }
  }

  /// An integer without a decimal point, and other numbers with as few digits as they need.
  private static func shortest(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 {
      return number.sign == .minus && number == 0 ? "-0" : String(Int64(number))
    }
    return "\(number)"
  }

  private static func uuid(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 16 else { return nil }
    let digits = bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }

  /// The seconds of a duration, without the zeros that its stored form begins and ends with. The
  /// stored form of a negative duration has 10^19 seconds more.
  private static func duration(_ text: String) -> String? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 19, parts[1].count == 18,
      parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let digits = parts.joined().utf8.map { $0 - 0x30 }
    var magnitude = digits
    if isNegative {
      // The ten's complement.
      var carry: UInt8 = 1
      for index in digits.indices.reversed() {
        let digit = 9 - digits[index] + carry
        magnitude[index] = digit % 10
        carry = digit / 10
      }
    }
    let whole = magnitude.prefix(19).drop { $0 == 0 }.map(String.init).joined()
    var fraction = magnitude.suffix(18).map(String.init).joined()
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole)
      + (fraction.isEmpty ? "" : "." + fraction) + " s"
  }
}

/// Dates of the file format: seconds since 2001-01-01 00:00:00 UTC.
public enum InspectedDate {
  /// The date in ISO 8601, in UTC, with milliseconds if it has any.
  public static func text(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 3e14 else { return "\(seconds)" }
    let milliseconds = Int64((seconds * 1_000).rounded())
    let (days, rest) = divided(milliseconds, 86_400_000)
    let (year, month, day) = civil(days + 11_323)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let (second, fraction) = (rest / 1_000, rest % 1_000)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return "\(date)T\(time.joined(separator: ":"))"
      + (fraction == 0 ? "Z" : ".\(padded(fraction, 3))Z")
  }

  /// Reads a date: `2024-05-01`, `2024-05-01T12:30`, with seconds, a fraction and `Z`; or seconds.
  public static func seconds(_ text: String) -> Double? {
    if let number = Double(text) { return number.isFinite ? number : nil }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "T ".contains($0) }
    let date = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard date.count == 3, let year = Int64(date[0]), let month = Int64(date[1]),
      let day = Int64(date[2]), (1...12).contains(month), (1...31).contains(day),
      abs(year) < 1_000_000
    else { return nil }
    var seconds = Double((days(year, month, day) - 11_323) * 86_400)
    guard parts.count == 2 else { return seconds }
    let time = parts[1].replacing("Z", with: "").split(separator: ":")
    guard (2...3).contains(time.count) else { return nil }
    for (part, unit) in zip(time, [3_600.0, 60, 1]) {
      guard let number = Double(part), number >= 0, number < 61 else { return nil }
      seconds += number * unit
    }
    return seconds
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count))
      + digits
  }

  private static func divided(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let rest = (number % divisor + divisor) % divisor
    return ((number - rest) / divisor, rest)
  }

  /// The date of a day since 1970-01-01, in the Gregorian calendar also before 1582: Howard
  /// Hinnant, "chrono-compatible low-level date algorithms".
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let (era, day) = divided(days + 719_468, 146_097)
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (year + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = divided(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
