/// The order of a locale in this system, which a file records because it can change with the system.
extension TextCollator {
  /// The texts of a fixed sample in the order of the locale, joined by U+0000.
  ///
  /// The sample has letters of the scripts that most languages use, marks, digits, symbols, and texts
  /// in which several letters are one unit of a language's order. A change of other characters only
  /// is not noticed.
  ///
  /// - Complexity: some milliseconds, once for each locale in the process.
  package var orderedSample: String {
    if let known = sampledOrder.withLock({ $0 }) { return known }
    let sorted = Self.sample.sorted { left, right in
      left.withUnsafeBytes { left in right.withUnsafeBytes { compare(left, $0) < 0 } }
    }
    let text = String(decoding: Array(sorted.joined(separator: [0])), as: UTF8.self)
    sampledOrder.withLock { $0 = text }
    return text
  }

  private static let sample: [[UInt8]] = {
    var texts: [String] = []
    for (range, step) in ranges {
      for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        texts.append(String(Character(scalar)))
      }
    }
    for text in words { texts += [text, text.uppercased(), text + "b"] }
    return Set(texts.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
  }()

  /// Code points, and how many of them are left out between two texts of the sample.
  private static let ranges: [(ClosedRange<UInt32>, step: Int)] = [
    (0x20...0x7E, 1), (0xA1...0xFF, 1), (0x100...0x24F, 3), (0x250...0x2AF, 9), (0x370...0x3FF, 4),
    (0x400...0x52F, 5), (0x531...0x587, 9), (0x5D0...0x5EA, 5), (0x621...0x64A, 5),
    (0x671...0x6D5, 11),
    (0x905...0x939, 9), (0x985...0x9B9, 13), (0xE01...0xE4D, 9), (0x10D0...0x10F0, 7),
    (0x1100...0x1112, 5), (0x1E00...0x1EFF, 11), (0x2010...0x205E, 9), (0x20A0...0x20BF, 7),
    (0x3041...0x3096, 7), (0x30A1...0x30FA, 7), (0x3105...0x3129, 9), (0x4E00...0x9FA5, 613),
    (0xAC00...0xD7A3, 701), (0x1F300...0x1F64F, 97),
  ]

  private static let words = [
    "aa", "ae", "cs", "ch", "dz", "dzs", "gy", "ij", "ll", "lj", "nj", "ny", "oe", "rr", "ss", "sz",
    "ty",
    "zs", "a\u{308}", "a\u{30A}", "e\u{301}", "n\u{303}", "o\u{308}", "s\u{30C}", "co-op", "coop",
    "d'or", "dor", "x 1", "x10", "x2", "\u{133}", "\u{1C6}", "\u{FB01}", "\u{4E2D}\u{6587}",
  ]
}
