import Foundation
import MagicQueryText
import MagicStore
import SQLiteStore

/// Random and changed texts of predicates. Each is refused with an error of the library, or is a
/// predicate that runs, and that is the same after it was printed and parsed, or encoded and decoded.
public enum HostileTexts {
  /// Parts of texts, which the bytes of an input select.
  private static let parts = [
    "number", "text", "note", "small", "ratio", "isTrue", "born", "token", "mood", "amount",
    "one.name", "maybe.next.name", "list", "list.name", "list.@count", "roots", "up", "zIndex",
    "==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH[c]", "CONTAINS", "LIKE", "LIKE[c]", "IN",
    "BETWEEN", "MATCHES", "AND", "OR", "NOT", "ANY", "ALL", "NONE", "(", ")", "{", "}", ",", "+",
    "-", "*", "/", "3", "0", "2.5", "1e300", "\"a*\"", "'merry'", "nil", "TRUE", "$0", "$name",
    "%@", "%K", "%d", "SUBQUERY(list, $x, $x.name == 'a').@count", "lowercase(", "CAST(", "#in",
    "name", "SELF", ".", "[cd]",
  ]

  /// Valid texts, which the bytes of an input change.
  private static let texts = [
    "number > 3 AND text BEGINSWITH \"te\"", "isTrue == YES OR NOT note == nil",
    "small BETWEEN {-1, 5} AND mood IN {'merry'}", "ratio * 2 + 1 >= number - 3",
    "born < CAST(1.5, \"NSDate\")", "text LIKE[c] 'T?xt*' && lowercase(note) CONTAINS[c] 'Ö'",
    "ANY list.name ENDSWITH 'x' AND list.@count > 0", "NONE list.next.name == \"\\u0041\"",
    "SUBQUERY(list, $x, ANY $x.roots.name == name).@count >= 1", "maybe.name == 'a'",
  ]

  /// - Throws: `Finding` if a violation was found.
  public static func run(_ bytes: some Sequence<UInt8>) throws {
    var input = ByteReader(bytes)
    let text = text(&input)
    try check(Scalar.self, text)
    try check(Root.self, text)
    let json = #"{"version":1,"arguments":[{"integer":3}],"text":"\#(text)"}"#
    do {
      let decoded = try JSONDecoder().decode(MagicPredicate<Scalar>.self, from: Data(json.utf8))
      try check(decoded, text)
    } catch is DecodingError {
    } catch is MagicError {
    }
  }

  private static func text(_ input: inout ByteReader) -> String {
    switch input.number(below: 3) {
    case 0: return String(decoding: input.rest(), as: UTF8.self)
    case 1:
      var words: [String] = []
      while !input.isAtEnd { words.append(parts[Int(input.byte()) % parts.count]) }
      return words.joined(separator: " ")
    default:
      var text = Array(texts[input.number(below: texts.count)].utf8)
      while !input.isAtEnd {
        let place = input.number(below: text.count + 1)
        switch input.number(below: 3) {
        case 0 where place < text.count: text.remove(at: place)
        case 1 where place < text.count: text[place] = input.byte()
        default: text.insert(contentsOf: parts[input.number(below: parts.count)].utf8, at: place)
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  private static func check<Model: MagicObject>(_ type: Model.Type, _ text: String) throws {
    let named: [String: Any?] = ["name": "a", "x": 3]
    let predicates = [
      try attempt("a text") { try MagicPredicate<Model>(text: text, named: named) },
      try attempt("a text") { try MagicPredicate<Model>(text: text, 3, named: named) },
      try attempt("a text") { try MagicPredicate<Model>(text: text, "name", named: named) },
    ]
    for case let predicate? in predicates { try check(predicate, text) }
    let query = MagicQuery(Model.self).order(text: text)
    try attempt("an order") { try query.sql }
  }

  private static func check<Model>(_ predicate: MagicPredicate<Model>, _ text: String) throws {
    if predicate.description.isEmpty { throw Finding("A predicate is printed as nothing: \(text)") }
    let query = MagicQuery(Model.self).where(predicate)
    let sql = try attempt("a query") { try query.sql }
    // A query may be refused when it runs, for example because a pattern is too long.
    _ = try attempt("a run") { try store.get().query(Model.self).where(predicate).count() }
    if let printed = try attempt("printing", { try predicate.formatText() }) {
      try expectSame(predicate, printed, sql) { try MagicPredicate(text: printed) }
    }
    if let data = try attempt("encoding", { try JSONEncoder().encode(predicate) }) {
      let text = String(decoding: data, as: UTF8.self)
      try expectSame(predicate, text, sql) {
        try JSONDecoder().decode(MagicPredicate<Model>.self, from: data)
      }
    }
  }

  private static func expectSame<Model>(
    _ predicate: MagicPredicate<Model>, _ text: String, _ sql: String?,
    _ body: () throws -> MagicPredicate<Model>
  ) throws {
    do {
      let again = try body()
      guard again.description == predicate.description else {
        throw Finding("\(text) is printed as \(again)")
      }
      guard try attempt("a query", { try MagicQuery(Model.self).where(again).sql }) == sql else {
        throw Finding("\(text) is another query")
      }
    } catch let error as Finding {
      throw error
    } catch {
      throw Finding("\(text) is refused: \(error)")
    }
  }

  private static let store = Result { try MagicObjectStore.open(.memory) }
}
