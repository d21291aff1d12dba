import Foundation
import MagicInspection

/// A JSON document, unfolded: each object and array can be closed.
struct JSONTree {
  private let root: Node

  private indirect enum Node: Decodable {
    case null, bool(Bool), integer(Int64), real(Double), string(String)
    case array([Node]), object([(String, Node)])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let number = try? value.decode(Int64.self) {
        self = .integer(number)
      } else if let number = try? value.decode(Double.self) {
        self = .real(number)
      } else if let text = try? value.decode(String.self) {
        self = .string(text)
      } else if let nodes = try? value.decode([Node].self) {
        self = .array(nodes)
      } else {
        let members = try value.decode([String: Node].self)
        self = .object(members.sorted { $0.key < $1.key })
      }
    }
  }

  /// The maximum depth of levels that are shown, and number of members of each.
  private static let depthLimit = 16
  private static let memberLimit = 200

  /// Nil if the bytes are no JSON document.
  init?(_ bytes: [UInt8]) {
    // Decoding tries each kind of value at each level, so deep documents are not unfolded.
    guard Self.depth(bytes) <= Self.depthLimit,
      let root = try? JSONDecoder().decode(Node.self, from: Data(bytes))
    else { return nil }
    self.root = root
  }

  private static func depth(_ bytes: [UInt8]) -> Int {
    var (depth, deepest, isInText, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }

  func html() -> HTML { Self.html(root, depth: 0) }

  private static func html(_ node: Node, depth: Int) -> HTML {
    switch node {
    case .null: ValueCells.null
    case .bool(let value): HTML(.span, [.named("bool \(value)")]) { "\(value)" }
    case .integer(let number): HTML(.span, [.named("digits")]) { "\(number)" }
    case .real(let number): HTML(.span, [.named("digits")]) { "\(number)" }
    case .string(let text):
      HTML(.span, [HTMLAttribute(.dir, "auto")]) {
        text.isEmpty ? "“”" : InspectedText.line(text, limit: 400)
      }
    case .array(let nodes):
      list(
        nodes.prefix(memberLimit).enumerated().map { (String($0.offset), $0.element) },
        count: nodes.count, name: nodes.count == 1 ? "value" : "values", depth)
    case .object(let members):
      list(
        Array(members.prefix(memberLimit)), count: members.count,
        name: members.count == 1 ? "key" : "keys", depth)
    }
  }

  private static func list(
    _ members: [(String, Node)], count: Int, name: String, _ depth: Int
  ) -> HTML {
    guard count > 0 else { return HTML(.span, [.named("null")]) { "no \(name)" } }
    let isOpen = depth < 2 && count <= 20
    return HTML(.details, isOpen ? [HTMLAttribute(.open)] : []) {
      HTML(.summary) { "\(count.grouped) \(name)" }
      HTML(.dl) {
        for (key, node) in members {
          HTML(.dt) { InspectedText.line(key, limit: 60) }
          HTML(.dd) { html(node, depth: depth + 1) }
        }
      }
      if count > members.count {
        HTML(.p, [.named("note")]) { "and \((count - members.count).grouped) more" }
      }
    }
  }
}
