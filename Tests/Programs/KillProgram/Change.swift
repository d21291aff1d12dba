/// The change that a call makes to one row. Its text is, for example, "l5=12,3" or "e3-".
package enum Change: Hashable, Sendable {
  /// A letter is given a version and an envelope, or is removed (nil).
  case letter(Int, Contents.Row?)
  /// An envelope is given a version, or is removed (nil).
  case envelope(Int, Int?)

  package var text: String {
    switch self {
    case .letter(let number, nil): "l\(number)-"
    case .letter(let number, let row?): "l\(number)=\(row.version),\(row.envelope)"
    case .envelope(let number, nil): "e\(number)-"
    case .envelope(let number, let version?): "e\(number)=\(version)"
    }
  }

  package init?(_ text: Substring) {
    let isLetter = text.first == "l"
    guard isLetter || text.first == "e" else { return nil }
    let rest = text.dropFirst()
    if rest.last == "-", let number = Int(rest.dropLast()) {
      self = isLetter ? .letter(number, nil) : .envelope(number, nil)
      return
    }
    let numbers = rest.split(whereSeparator: { $0 == "=" || $0 == "," }).compactMap { Int($0) }
    switch (isLetter, numbers.count) {
    case (true, 3): self = .letter(numbers[0], .init(version: numbers[1], envelope: numbers[2]))
    case (false, 2): self = .envelope(numbers[0], numbers[1])
    default: return nil
    }
  }
}
