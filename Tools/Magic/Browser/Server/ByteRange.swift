/// A part of a value that a request asks for, so that a player can seek in a sound.
enum ByteRange: Equatable {
  /// The whole value: there is no range, or one that is not understood.
  case whole
  case part(Range<Int>)
  /// No byte of the range exists.
  case outside

  /// - Parameters:
  ///   - header: the header `Range`. Several ranges are answered with the whole value.
  ///   - count: the number of bytes of the value.
  init(header: String?, count: Int) {
    self = .whole
    guard let header, header.hasPrefix("bytes=") else { return }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      ends.contains(where: { !$0.isEmpty })
    else { return }
    // A number above Int.max is behind the end.
    func number(_ text: Substring) -> Int { Int(text) ?? .max }
    if ends[0].isEmpty {
      let length = min(number(ends[1]), count)
      self = length > 0 ? .part((count - length)..<count) : .outside
      return
    }
    let first = number(ends[0])
    let last = ends[1].isEmpty ? .max : number(ends[1])
    guard first <= last else { return }
    self = first < count ? .part(first..<(min(last, count - 1) + 1)) : .outside
  }
}
