/// Reads the elements of an XML document, as models in Xcode need it: elements and attributes. Texts,
/// comments and instructions are skipped. A document type is refused, so that no entity can expand.
///
/// `XMLParser` is not used: every program with the library links this module, and on Linux the parser is in
/// FoundationXML, which links libxml2, and with it ICU's data, liblzma and the C++ library of the system.
struct XMLReader {
  struct Element {
    let name: String
    let attributes: [String: String]
  }

  struct Fault: Error {
    let line: Int
    let reason: String
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Calls a closure at the begin and at the end of each element, with its depth, from 0.
  mutating func forEach(
    begin: (Element, Int) throws -> Void, end: (String, Int) throws -> Void
  ) throws {
    var open: [String] = []
    while skip(to: UInt8(ascii: "<")) {
      if try skipMarkup() { continue }
      if take("</") {
        let name = try name()
        guard open.popLast() == name else { throw fault("an element ends that is not open") }
        skipSpace()
        guard take(">") else { throw fault("a tag does not end") }
        try end(name, open.count)
        continue
      }
      place += 1
      let element = Element(name: try name(), attributes: try attributes())
      try begin(element, open.count)
      if take("/>") {
        try end(element.name, open.count)
      } else if take(">") {
        open.append(element.name)
        guard open.count <= 100 else { throw fault("the elements are nested too deeply") }
      } else {
        throw fault("a tag does not end")
      }
    }
    guard open.isEmpty else { throw fault("the document ends before its elements") }
  }

  // MARK: Tokens

  private mutating func skipMarkup() throws -> Bool {
    for (start, end) in [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")] where take(start) {
      let pattern = Array(end.utf8)
      while place < bytes.count, !bytes[place...].starts(with: pattern) { place += 1 }
      guard take(end) else { throw fault("a comment or an instruction does not end") }
      return true
    }
    guard !bytes[place...].starts(with: Array("<!".utf8)) else {
      throw fault("a document type is not permitted")
    }
    return false
  }

  private mutating func attributes() throws -> [String: String] {
    var attributes: [String: String] = [:]
    skipSpace()
    while let byte = current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
      let name = try name()
      skipSpace()
      guard take("=") else { throw fault("an attribute has no value") }
      skipSpace()
      guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw fault("the value of an attribute has no quotation marks")
      }
      place += 1
      let start = place
      guard skip(to: quote) else { throw fault("the value of an attribute does not end") }
      attributes[name] = try text(bytes[start..<place])
      place += 1
      skipSpace()
    }
    return attributes
  }

  private mutating func name() throws -> String {
    let start = place
    while let byte = current, !Self.isSpace(byte), !Self.endsName.contains(byte) { place += 1 }
    guard place > start else { throw fault("a name is missing") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func text(_ content: ArraySlice<UInt8>) throws -> String {
    let text = String(decoding: content, as: UTF8.self)
    guard content.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      guard let end = rest[start...].firstIndex(of: ";"),
        let character = Self.character(rest[rest.index(after: start)..<end])
      else { throw fault("a reference to a character is unknown") }
      result.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> Character? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let number =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap(Unicode.Scalar.init).map(Character.init)
    }
  }

  // MARK: Bytes

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  private mutating func skip(to byte: UInt8) -> Bool {
    while let found = current {
      if found == byte { return true }
      place += 1
    }
    return false
  }

  private mutating func skipSpace() {
    while let byte = current, Self.isSpace(byte) { place += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
  private static let endsName = Array("=/><\"'".utf8)

  private func fault(_ reason: String) -> Fault {
    Fault(
      line: bytes[..<min(place, bytes.count)].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }, reason: reason
    )
  }
}
