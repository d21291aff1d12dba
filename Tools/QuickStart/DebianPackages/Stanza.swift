/// One paragraph of a deb822 file: named fields, in the order of the file.
///
/// A stanza shares the bytes of its file, and creates strings only for requested fields. All bytes
/// are valid UTF-8.
package struct Stanza: Sendable {
  struct Field: Sendable {
    var line: Int
    var name: Range<Int>
    // The range after the colon, to the end of the last continuation line.
    var value: Range<Int>
  }

  /// The line number of the first field, from 1.
  package let line: Int
  let bytes: [UInt8]
  let fields: [Field]

  package var fieldNames: [String] { fields.map { text(in: $0.name) } }

  /// The line number of a field, or nil if the stanza has no such field.
  package func line(of name: String) -> Int? { field(name)?.line }

  /// The value as one line: a break and the white space around it become one space.
  ///
  /// For names, numbers and dependency fields. Nil if there is no such field. Field names are
  /// case-insensitive.
  package func folded(_ name: String) -> String? {
    guard let field = field(name) else { return nil }
    guard isMultiline(field) else { return text(in: bytes.trimmingBlanks(field.value)) }
    return valueLines(field).map(bytes.trimmingBlanks).filter { !$0.isEmpty }
      .map(text).joined(separator: " ")
  }

  /// The value with its line breaks, without the leading blank of continuation lines. A line that
  /// contains only a full stop becomes an empty line.
  ///
  /// For descriptions.
  package func multiline(_ name: String) -> String? {
    guard let field = field(name) else { return nil }
    guard isMultiline(field) else { return text(in: bytes.trimmingBlanks(field.value)) }
    let lines = valueLines(field)
    let first = text(in: bytes.trimmingBlanks(lines[0]))
    let rest = lines.dropFirst().map { line in
      let content = text(in: bytes.trimmingTrailingBlanks(line.lowerBound + 1..<line.upperBound))
      return content == "." ? "" : content
    }
    return ([first] + rest).joined(separator: "\n")
  }

  func field(_ name: String) -> Field? {
    fields.first { bytes.isSameName($0.name, as: name.utf8) }
  }

  private func isMultiline(_ field: Field) -> Bool { bytes.firstNewline(in: field.value) != nil }

  // Comment lines between the lines of a value are not part of it.
  private func valueLines(_ field: Field) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = field.value.lowerBound
    while true {
      let end = bytes.firstNewline(in: start..<field.value.upperBound) ?? field.value.upperBound
      if lines.isEmpty || bytes[start] != UInt8(ascii: "#") { lines.append(start..<end) }
      guard end < field.value.upperBound else { return lines }
      start = end + 1
    }
  }

  private func text(in range: Range<Int>) -> String {
    bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
    }
  }
}
