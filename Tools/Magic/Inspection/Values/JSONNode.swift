import Foundation

/// A JSON document with its keys in a given order.
public indirect enum JSONNode: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSONNode])
  case object([Member])
  /// A document as it is stored, on one line.
  case document(String)

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value.
    public let value: JSONNode

    /// Creates a member.
    public init(_ key: String, _ value: JSONNode) {
      self.key = key
      self.value = value
    }
  }

  /// An object with the given members.
  public static func members(_ pairs: KeyValuePairs<String, JSONNode>) -> JSONNode {
    .object(pairs.map { Member($0.key, $0.value) })
  }

  /// A string, or null.
  public static func string(orNull text: String?) -> JSONNode { text.map(JSONNode.string) ?? .null }

  /// An integer, or null.
  public static func integer(orNull number: Int?) -> JSONNode {
    number.map { .integer(Int64($0)) } ?? .null
  }

  /// The document as text, on one line or indented.
  public func text(isIndented: Bool = false) -> String {
    var result = ""
    write(to: &result, indent: isIndented ? 0 : nil)
    return result
  }

  /// Whether bytes are a JSON document.
  public static func isDocument(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return false }
    let object = try? JSONSerialization.jsonObject(
      with: Data(bytes), options: [.fragmentsAllowed])
    return object != nil
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let number): text += String(number)
    // JSON has no infinity.
    case .real(let number): text += number.isFinite ? "\(number)" : "\"\(number)\""
    case .string(let value): Self.write(value, to: &text)
    case .document(let value): text += value
    case .array(let nodes):
      Self.write("[", "]", count: nodes.count, to: &text, indent: indent) { index, text, indent in
        nodes[index].write(to: &text, indent: indent)
      }
    case .object(let members):
      Self.write("{", "}", count: members.count, to: &text, indent: indent) { index, text, indent in
        Self.write(members[index].key, to: &text)
        text += indent == nil ? ":" : ": "
        members[index].value.write(to: &text, indent: indent)
      }
    }
  }

  private static func write(
    _ opening: String, _ closing: String, count: Int, to text: inout String, indent: Int?,
    _ element: (Int, inout String, Int?) -> Void
  ) {
    text += opening
    let inner = indent.map { $0 + 2 }
    for index in 0..<count {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      element(index, &text, inner)
    }
    if count > 0, let indent { text += "\n" + String(repeating: " ", count: indent) }
    text += closing
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Control characters, and those that change the direction of a text in a terminal.
      case _ where scalar.controlsText:
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
