import MagicRuntime

/// A pattern of dates, and the calculation of their seconds. All dates are in the Gregorian calendar
/// and in UTC.
struct DateFormat: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case year(digits: Int)
    case month, day, hour, minute, second, fraction
    case literal(UInt8)
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    var rest = Array(pattern.utf8)[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      let part: Part? =
        switch first {
        case UInt8(ascii: "y"): .year(digits: run.count == 2 ? 2 : 4)
        case UInt8(ascii: "M"): .month
        case UInt8(ascii: "d"): .day
        case UInt8(ascii: "H"): .hour
        case UInt8(ascii: "m"): .minute
        case UInt8(ascii: "s"): .second
        case UInt8(ascii: "S"): .fraction
        default: nil
        }
      parts += part.map { [$0] } ?? run.map { .literal($0) }
      rest = rest.dropFirst(run.count)
    }
    self.parts = parts
  }

  /// Returns the seconds since 2001 of a date; nil if a text does not match.
  func seconds(_ text: some Collection<UInt8>) -> Double? {
    var date = DateFields()
    var rest = Array(text)[...]
    for part in parts {
      if case .literal(let byte) = part {
        guard rest.popFirst() == byte else { return nil }
        continue
      }
      var limit = 2
      if case .year(let digits) = part { limit = digits }
      if case .fraction = part { limit = 9 }
      let digits = rest.prefix(limit).prefix { (0x30...0x39).contains($0) }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      // Otherwise a year of two digits would be one of the first century.
      if case .year(let count) = part, digits.count != count { return nil }
      rest = rest.dropFirst(digits.count)
      switch part {
      case .year(digits: 2): date.year = number < 70 ? 2000 + number : 1900 + number
      case .year: date.year = number
      case .month: date.month = number
      case .day: date.day = number
      case .hour: date.hour = number
      case .minute: date.minute = number
      case .second: date.second = Double(number)
      case .fraction:
        date.fraction = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
      case .literal: break
      }
    }
    return rest.isEmpty ? date.seconds : nil
  }

  private static let detectable: [DateFormat] = {
    var formats: [DateFormat] = []
    for day in ["yyyy-MM-dd", "yyyy/MM/dd", "dd.MM.yyyy"] {
      formats.append(DateFormat(day))
      for separator in day.hasPrefix("yyyy-") ? ["T", " "] : [" "] {
        for time in ["HH:mm", "HH:mm:ss", "HH:mm:ss.SSS"] {
          formats.append(DateFormat(day + separator + time))
        }
      }
    }
    return formats
  }()

  /// Returns the seconds since 2001 of a date in a form that is not ambiguous; nil for another text.
  static func detected(_ text: some Collection<UInt8>) -> Double? {
    var bytes = Array(text)
    var offset = 0.0
    if bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z") {
      bytes.removeLast()
    } else if bytes.count > 16,
      let sign = bytes.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
      sign >= 16
    {
      let zone = String(
        decoding: bytes[(sign + 1)...].filter { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      guard zone.utf8.count == 4 || zone.utf8.count == 2, !zone.utf8.contains(UInt8(ascii: "+")),
        !zone.utf8.contains(UInt8(ascii: "-")),
        let hours = Int(zone.prefix(2)), let minutes = zone.count == 2 ? 0 : Int(zone.suffix(2)),
        (0...23).contains(hours), (0...59).contains(minutes)
      else { return nil }
      offset = Double(hours * 3_600 + minutes * 60)
      if bytes[sign] == UInt8(ascii: "-") { offset = -offset }
      bytes.removeSubrange(sign...)
    }
    for format in detectable {
      if let seconds = format.seconds(bytes) { return seconds - offset }
    }
    return nil
  }

  /// The seconds from the beginning of 1970 to that of 2001.
  static let from1970To2001 = 978_307_200.0
}

/// The parts of a date.
private struct DateFields {
  var year = 2001
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0.0
  var fraction = 0.0

  /// The seconds since 2001; nil if there is no such date.
  var seconds: Double? {
    guard (1...12).contains(month), (1...monthLength).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    let days = DateComputation.days(Int64(year), Int64(month), Int64(day))
    return Double(days * 86_400 + Int64(hour * 3_600 + minute * 60)) + second + fraction
  }

  private var monthLength: Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
