import Foundation

/// Texts of values. Two texts are equal only if all bits of the values are.
enum Exact {
  static func text(_ text: String?) -> String {
    guard let text else { return "nil" }
    return "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
  }

  static func real(_ real: Double?) -> String {
    real.map { String($0.bitPattern, radix: 16) } ?? "nil"
  }

  static func bytes(_ bytes: (some Sequence<UInt8>)?) -> String {
    bytes.map { $0.map { String($0, radix: 16) }.joined(separator: " ") } ?? "nil"
  }
}

extension Person {
  var exact: [String] {
    [
      Exact.text(id), Exact.text(name), "\(age as Int?)", Exact.real(height),
      Exact.real(born.timeIntervalSinceReferenceDate), "\(token)", "\(balance)",
      Exact.bytes(picture), "\(mood)", Exact.text(job?.title), Exact.real(job?.salary),
      "\(job?.days as [Int]?)", "\(tags.map(Exact.text).sorted())", "\(lines.map(Exact.text))",
    ]
  }
}

extension Measure {
  var exact: [String] {
    [
      "\(id)", "\(small)", "\(natural)", "\(huge)", "\(isTrue)", "\(isSure as Bool?)",
      String(ratio.bitPattern, radix: 16), Exact.real(real), Exact.text(link.absoluteString),
      Exact.bytes(bytes), Exact.bytes(data), Exact.text(note), "\(rank)",
      Exact.real(warmth?.degrees), "\(scores.sorted { $0.key < $1.key })",
    ]
  }
}

extension Book {
  var exact: [String] { [isbn, Exact.text(series), "\(volume)", "\(year as Int?)"] }
}

extension Ledger {
  var exact: [String] {
    [
      code, "\(amount)", Exact.text(town), Exact.text(remark), "\(isOpen)", Exact.real(rate),
      Exact.text(currency),
    ]
  }
}
