/// Reads the stanzas of a deb822 file one after another, the format of `/var/lib/dpkg/status` and
/// of the `Packages` files of an archive (deb822(5), Debian Policy chapter 5).
///
/// An invalid stanza is reported with its line and skipped; reading continues after the next empty
/// line. Comment lines are ignored. Lines of white space separate stanzas like empty lines.
package struct StanzaReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var line = 0

  /// The number of bytes that have been read.
  package private(set) var offset = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  package mutating func next() -> Result<Stanza, MalformedStanza>? {
    var draft = Draft(bytes: bytes)
    var problem: MalformedStanza?
    while let line = nextLine() {
      if isEmpty(line) {
        if problem != nil || !draft.fields.isEmpty { break }
      } else if problem == nil, let reason = draft.add(line, number: self.line) {
        problem = MalformedStanza(line: self.line, reason: reason)
      }
    }
    if let problem { return .failure(problem) }
    return draft.stanza.map(Result.success)
  }

  private mutating func nextLine() -> Range<Int>? {
    guard offset < bytes.count else { return nil }
    let start = offset
    let end = bytes.firstNewline(in: start..<bytes.count) ?? bytes.count
    offset = Swift.min(end + 1, bytes.count)
    line += 1
    return start..<end
  }

  private func isEmpty(_ line: Range<Int>) -> Bool {
    line.isEmpty || (bytes[line.lowerBound].isBlank && bytes.trimmingBlanks(line).isEmpty)
  }
}

extension StanzaReader {
  /// The fields of the stanza that is being read.
  private struct Draft {
    let bytes: [UInt8]
    var fields: [Stanza.Field] = []

    var stanza: Stanza? {
      fields.first.map { Stanza(line: $0.line, bytes: bytes, fields: fields) }
    }

    /// Adds a line that is not empty. Returns the error of an invalid line.
    mutating func add(_ line: Range<Int>, number: Int) -> MalformedStanza.Reason? {
      if bytes[line.lowerBound] == UInt8(ascii: "#") { return nil }
      guard bytes.isUTF8(line) else { return .invalidUTF8 }
      switch bytes[line.lowerBound] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        guard let last = fields.indices.last else { return .continuationWithoutField }
        fields[last].value = fields[last].value.lowerBound..<line.upperBound
        return nil
      default:
        return addField(line, number: number)
      }
    }

    private mutating func addField(_ line: Range<Int>, number: Int) -> MalformedStanza.Reason? {
      guard let colon = bytes.firstColon(in: line) else { return .missingColon }
      let name = bytes.trimmingTrailingBlanks(line.lowerBound..<colon)
      guard bytes.isFieldName(name) else { return .invalidFieldName }
      let spelled = bytes[name]
      if let first = fields.first(where: { bytes.isSameName($0.name, as: spelled) }) {
        let name = String(decoding: spelled, as: UTF8.self)
        return .duplicateField(name: name, firstLine: first.line)
      }
      if fields.isEmpty { fields.reserveCapacity(24) }
      fields.append(.init(line: number, name: name, value: colon + 1..<line.upperBound))
      return nil
    }
  }
}
