/// Changes of the bytes of a file.
struct FileEdits {
  private let pageSize: Int
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8], pageSize: Int) {
    self.bytes = bytes
    self.pageSize = pageSize
  }

  /// Makes the changes that an input encodes, 64 at most.
  mutating func apply(_ input: inout ByteReader) {
    var count = 0
    while !input.isAtEnd, count < 64, !bytes.isEmpty {
      applyOne(&input)
      count += 1
    }
  }

  private mutating func applyOne(_ input: inout ByteReader) {
    let kind = input.number(below: 8)
    switch kind {
    case 0, 1: overwrite(at: input.number(below: bytes.count), with: input.bytes(1 + kind * 4))
    case 2:
      // The header of a page, with its type and the positions of its cells.
      let page = somePage(&input)
      let offset = input.number(below: 24)
      overwrite(at: page.lowerBound + offset, with: [input.byte()])
    case 3:
      let page = somePage(&input)
      for place in page { bytes[place] = 0 }
    case 4:
      let (source, target) = (somePage(&input), somePage(&input))
      overwrite(at: target.lowerBound, with: Array(bytes[source]))
    case 5: bytes.removeSubrange(input.number(below: bytes.count)...)
    case 6: bytes += input.someBytes()
    default:
      // The header of the file, with sizes, versions and counts.
      overwrite(at: input.number(below: min(100, bytes.count)), with: [input.byte()])
    }
  }

  private func somePage(_ input: inout ByteReader) -> Range<Int> {
    let page = input.number(below: max(1, bytes.count / pageSize))
    return page * pageSize..<min((page + 1) * pageSize, bytes.count)
  }

  private mutating func overwrite(at start: Int, with new: [UInt8]) {
    for (place, byte) in zip(min(start, bytes.count)..<bytes.count, new) { bytes[place] = byte }
  }
}
