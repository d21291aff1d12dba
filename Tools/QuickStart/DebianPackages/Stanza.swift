/// One paragraph of a deb822 file: named fields, in the order of the file.
///
/// A stanza shares the bytes of its file and makes a string only of the fields that are asked for.
/// Every byte of it has been checked to be UTF-8.
package struct Stanza: Sendable {
  struct Field: Sendable {
    var line: Int
    var name: Range<Int>
    // From behind the colon to the end of the last continuation line.
    var value: Range<Int>
  }

  /// The line of the first field, counted from one.
  package let line: Int
  let bytes: [UInt8]
  let fields: [Field]

  package var fieldNames: [String] { fields.map { text(in: $0.name) } }

  /// The line the field starts on, or nil where the stanza has no such field.
  package func line(of name: String) -> Int? { field(name)?.line }

  /// The value as one line: a break and the white space around it become one space.
  ///
  /// This is the reading for names, numbers and dependency fields. Nil where there is no such
  /// field. Field names are compared without regard to case.
  package func folded(_ name: String) -> String? {
    guard let field = field(name) else { return nil }
    guard isMultiline(field) else { return text(in: bytes.trimmingBlanks(field.value)) }
    return valueLines(field).map(bytes.trimmingBlanks).filter { !$0.isEmpty }
      .map(text).joined(separator: " ")
  }

  /// The value with its line breaks: each continuation line loses the one blank that marks it, and
  /// a line that holds only a full stop stands for an empty one.
  ///
  /// This is the reading for descriptions.
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

  // Comment lines may stand between the lines of a value; they are no part of it.
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
