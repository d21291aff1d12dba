import MagicData

extension String {
  /// The text without control and formatting characters, so that the contents of a file cannot
  /// control the terminal.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  func rightAligned(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  func shortened(to width: Int) -> String {
    count <= width ? self : prefix(width - 1) + "…"
  }
}

extension Int {
  /// The number with commas as separators of thousands.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }

  /// A number of KiB, in an appropriate unit.
  var kibibytes: String {
    var amount = Double(self)
    var units = ["KiB", "MiB", "GiB", "TiB"][...]
    while amount >= 1024, units.count > 1 {
      amount /= 1024
      units.removeFirst()
    }
    guard let unit = units.first, unit != "KiB" else { return "\(grouped) KiB" }
    return "\(amount.rounded(toPlaces: 1)) \(unit)"
  }

  var byteCount: String { self < 1024 ? counted("byte") : (self / 1024).kibibytes }

  func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension Double {
  func rounded(toPlaces places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let value = Int((self * Double(scale)).rounded())
    guard places > 0 else { return value.grouped }
    let fraction = String(value % scale)
    return (value / scale).grouped + "."
      + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// A duration in seconds, in an appropriate unit.
  var duration: String {
    guard self < 1 else { return "\(rounded(toPlaces: 2)) s" }
    return "\((self * 1000).rounded(toPlaces: self < 0.01 ? 1 : 0)) ms"
  }
}

extension MagicHighlight {
  /// The text for the terminal, with found words in bold type; in square brackets for other readers.
  var printable: String { printable(isBold: Console.isTerminal) }

  func printable(isBold: Bool) -> String {
    var shown = isCutAtStart ? "…" : ""
    var place = text.startIndex
    for range in ranges {
      let found = String(text[range]).printable
      shown += String(text[place..<range.lowerBound]).printable
      shown += isBold ? "\u{1B}[1m\(found)\u{1B}[0m" : "[\(found)]"
      place = range.upperBound
    }
    return shown + String(text[place...]).printable + (isCutAtEnd ? "…" : "")
  }
}
