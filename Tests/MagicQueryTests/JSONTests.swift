import EngineConformance
import Foundation
import MagicData
import MagicQuery
import MagicRuntime
import Testing

struct PhotoPlace: MagicalCodable, Equatable {
  var city: String
  var height: Double
}

enum PhotoKind: String, MagicalCodable, CaseIterable {
  case portrait, landscape
}

struct PhotoInfo: MagicalCodable, Equatable {
  enum CodingKeys: String, CodingKey {
    case title = "the \"title\""
    case count, rating, isRaw, taken, id, page, kind, place, labels, price
  }

  var title: String?
  var count = 0
  var rating = 0.0
  var isRaw = false
  var taken = Date(timeIntervalSinceReferenceDate: 0.5)
  var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
  var page = URL(fileURLWithPath: "/a/b")
  var kind = PhotoKind.portrait
  var place: PhotoPlace?
  var labels: [String] = []
  var price: Decimal = 1
}

struct Photo: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var tags: [String] = []
  @MagicValue var numbers: Set<Int> = []
  @OptionMagicValue var scores: [Double]?
  @MagicValue var places: [PhotoPlace] = []
  @MagicValue var bytes: [UInt8] = []
  @MagicValue var sizes: [String: Int] = [:]
  @OptionMagicValue var notes: [String: String]?
  @MagicValue var info: PhotoInfo = PhotoInfo()
  @OptionMagicValue var more: PhotoInfo?
  @MagicValue var kind: PhotoKind = .portrait

  init() {}
}

/// Arrays, sets, dictionaries and members of values that are stored as JSON.
@Suite(.everyEngine) struct JSONTests {
  private typealias Amount = MagicMoney<MagicCents>
  private let test: TestStore

  init() throws {
    test = try TestStore()
    let (a, b, c) = (Photo(), Photo(), Photo())
    a.name = "a"
    a.tags = ["sea", "a \"quoted\" \\ tag\n", "Ä😀"]
    a.numbers = [3, 1, 20]
    a.scores = [1, 2.5]
    a.places = [PhotoPlace(city: "Köln", height: 1), PhotoPlace(city: "[\"x", height: 2)]
    a.sizes = ["w": 4, "h\"\\": -3]
    a.notes = ["x": "y\t"]
    a.info = PhotoInfo(
      title: "Sea/Sky", count: -7, rating: 2, isRaw: true, kind: .landscape,
      place: PhotoPlace(city: "Rom", height: 2.5), labels: ["q"])
    b.name = "b"
    b.tags = ["seaside", ""]
    b.numbers = [2]
    b.scores = []
    b.more = PhotoInfo(title: "x", count: 3, rating: 0.5)
    c.name = "c"
    try test.store.update(contentsOf: [a, b, c])
  }

  private func names(
    _ predicate: (MagicRow<Photo>) -> MagicPredicate<Photo>
  ) throws -> String {
    try test.store.query(Photo.self).where(predicate).order(by: \.$name).select(\.$name).all()
      .joined()
  }

  @Test func anArrayContainsAnElement() throws {
    #expect(try names { $0.$tags.contains("sea") } == "a")
    #expect(try names { $0.$tags.contains("a \"quoted\" \\ tag\n") } == "a")
    #expect(try names { $0.$tags.contains("Ä😀") } == "a")
    #expect(try names { $0.$tags.contains("") } == "b")
    #expect(try names { !$0.$tags.contains("sea") } == "bc")
    #expect(try names { $0.$places.contains(PhotoPlace(city: "[\"x", height: 2)) } == "a")
    #expect(try names { $0.$places.contains(PhotoPlace(city: "Köln", height: 2)) } == "")
    #expect(try names { $0.$numbers.contains(20) } == "a")
    #expect(try names { $0.$numbers.contains(2) } == "b")
    #expect(try names { $0.$scores.contains(2.5) } == "a")
    #expect(try names { !$0.$scores.contains(2.5) } == "bc")
  }

  @Test func elementsAreCounted() throws {
    #expect(try names { $0.$tags.count == 3 } == "a")
    #expect(try names { $0.$tags.isEmpty } == "c")
    #expect(try names { !$0.$numbers.isEmpty } == "ab")
    #expect(try names { $0.$places.count > 1 } == "a")
    #expect(try names { $0.$scores.isEmpty } == "b")
    #expect(try names { $0.$scores.count == nil } == "c")
    let counts = try test.store.query(Photo.self).order(by: \.$name)
      .select { ($0.$tags.count, $0.$scores.count) }.all()
    #expect(counts.map(\.0) == [3, 2, 0])
    #expect(counts.map(\.1) == [2, 0, nil])
  }

  @Test func aDictionaryHasValuesForKeys() throws {
    #expect(try names { $0.$sizes["w"] == 4 } == "a")
    #expect(try names { $0.$sizes["h\"\\"] < 0 } == "a")
    #expect(try names { $0.$sizes["x"] == nil } == "abc")
    #expect(try names { ($0.$sizes["w"] ?? 0) == 0 } == "bc")
    #expect(try names { $0.$notes["x"] == "y\t" } == "a")
    #expect(try names { $0.$notes["x"] == nil } == "bc")
  }

  @Test func aMemberIsReadByItsCodingKey() throws {
    #expect(try names { $0.$info[json: "the \"title\"", as: String.self] == "Sea/Sky" } == "a")
    #expect(try names { $0.$info[json: "title", as: String.self] == nil } == "abc")
    #expect(try names { $0.$info[json: "count", as: Int.self] < 0 } == "a")
    #expect(try names { $0.$info[json: "rating", as: Double.self] == 2 } == "a")
    #expect(try names { $0.$info[json: "isRaw", as: Bool.self] == true } == "a")
    #expect(try names { $0.$info[json: "kind", as: PhotoKind.self] == .landscape } == "a")
    let date = Date(timeIntervalSinceReferenceDate: 0.5)
    #expect(try names { $0.$info[json: "taken", as: Date.self] == date } == "abc")
    #expect(try names { $0.$info[json: "taken", as: Date.self].year == 2001 } == "abc")
    let id = PhotoInfo().id
    #expect(try names { $0.$info[json: "id", as: UUID.self] == id } == "abc")
    let url = URL(fileURLWithPath: "/a/b")
    #expect(try names { $0.$info[json: "page", as: URL.self] == url } == "abc")
    #expect(try names { $0.$more[json: "count", as: Int.self] == 3 } == "b")
    #expect(try names { $0.$more[json: "count", as: Int.self] == nil } == "ac")
  }

  @Test func membersOfMembersAreRead() throws {
    #expect(
      try names {
        $0.$info[json: "place", as: PhotoPlace.self][json: "city", as: String.self] == "Rom"
      } == "a")
    #expect(try names { $0.$info[json: "labels", as: [String].self].contains("q") } == "a")
    #expect(try names { $0.$info[json: "labels", as: [String].self].count == 0 } == "bc")
    let places = try test.store.query(Photo.self).order(by: \.$name)
      .select { $0.$info[json: "place", as: PhotoPlace.self] }.all()
    #expect(places == [PhotoPlace(city: "Rom", height: 2.5), nil, nil])
  }

  @Test func aMemberOfAnotherTypeIsNil() throws {
    #expect(try names { $0.$info[json: "count", as: String.self] == nil } == "abc")
    #expect(try names { $0.$info[json: "isRaw", as: Int.self] == nil } == "abc")
    #expect(try names { $0.$info[json: "place", as: String.self] == nil } == "abc")
    #expect(try names { $0.$more[json: "rating", as: Int.self] == nil } == "abc")
    #expect(try names { $0.$info[json: "count", as: Double.self] == -7 } == "a")
    #expect(try names { $0.$info[json: "rating", as: Int.self] == 2 } == "a")
  }

  @Test func valuesThatAreNotJSONAreRefused() throws {
    #expect(code { try names { $0.$bytes.contains(1) } } == .invalidQuery)
    #expect(code { try names { $0.$bytes.count == 1 } } == .invalidQuery)
    #expect(code { try names { $0.$bytes.isEmpty } } == .invalidQuery)
    #expect(
      code { try names { $0.$info[json: "price", as: Decimal.self] == nil } } == .invalidQuery)
    #expect(code { try names { $0.$kind[json: "x", as: Int.self] == nil } } == .invalidQuery)
    // Their JSON is another number than their column value.
    #expect(code { try names { $0.$info[json: "count", as: Amount.self] == nil } } == .invalidQuery)
    #expect(code { try names { $0.$info[json: "rating", as: Float.self] == nil } } == .invalidQuery)
    #expect(code { try names { $0.$scores.contains(.infinity) } } == .cannotEncode)
  }

  @Test func aConditionSelectsAnEnumeration() throws {
    let photos = test.store.query(Photo.self).order(by: \.$name)
    let kinds = try photos.select {
      MagicExpression.when($0.$name == "a", then: PhotoKind.landscape, else: .portrait)
    }.all()
    #expect(kinds == [.landscape, .portrait, .portrait])
    try photos.where(\.$name != "c").update(
      set: .set(\.$kind) { .when($0.$name == "b", then: .landscape, else: $0.$kind) })
    #expect(try names { $0.$kind == .landscape } == "b")
    #expect(
      try names {
        MagicExpression.when($0.$name == "a", then: $0.$kind, else: .landscape) == .landscape
      } == "bc")
    let optional = try photos.select {
      MagicExpression.when(
        $0.$name == "a", then: $0.$info[json: "kind", as: PhotoKind.self], else: nil)
    }.all()
    #expect(optional == [.landscape, nil, nil])
  }

  @Test func valuesOfJSONAreGroupedOrderedAndUpdated() throws {
    let photos = test.store.query(Photo.self)
    let groups = try photos.grouped { $0.$info[json: "isRaw", as: Bool.self] }
      .order(byKey: .ascending).sum { $0.$sizes["w"] }
    #expect(groups.map(\.key) == [false, true])
    #expect(groups.map(\.sum) == [0, 4])
    #expect(
      try photos.order(.descending) { $0.$info[json: "rating", as: Double.self] }
        .order(by: \.$name).select(\.$name).all() == ["a", "b", "c"])
    #expect(
      try photos.where { $0.$tags.contains("sea") }
        .update(set: .set(\.$name, to: { $0.$notes["x"] ?? "" })) == 1)
    #expect(try names { $0.$name == "y\t" } == "y\t")
    #expect(try photos.where { $0.$tags.isEmpty }.delete() == 1)
  }
}

/// JSON that other programs have written, and bytes that are not JSON.
@Suite struct JSONScannerTests {
  private func bytes<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result { Array(text.utf8).withUnsafeBytes { body($0) } }

  private func member(_ text: String, _ key: String, _ kind: JSONKind) -> String? {
    bytes(text) { text in
      bytes(key) { key in
        JSONScanner.member(text, key).flatMap { JSONValue($0).value(of: kind) }.map { value in
          if case .text(let text) = value {
            String(decoding: JSONValue.unescaped(text), as: UTF8.self)
          } else if case .container(let json) = value {
            String(decoding: json, as: UTF8.self)
          } else {
            "\(value)"
          }
        }
      }
    }
  }

  private func contains(_ text: String, _ element: String) -> Bool {
    bytes(text) { text in bytes(element) { JSONScanner.contains(text, $0) } }
  }

  @Test func whiteSpaceAndEscapesDoNotMatter() {
    let text =
      " { \"a\" : 1 ,\n\"\\u0062\" : \"\\u00e4\\ud83d\\ude00\\/\" , \"c\":[ {\"a\":2} , \"]\" ]}"
    #expect(member(text, "a", .integer) == "integer(1)")
    #expect(member(text, "b", .text) == "ä😀/")
    #expect(member(text, "c", .container) == "[ {\"a\":2} , \"]\" ]")
    #expect(contains("[ \"\\u0061\" , 1.50 ]", "\"a\""))
    #expect(contains("[ \"\\u0061\" , 1.50 ]", "1.5"))
    #expect(contains("[1e2]", "100"))
    #expect(!contains("[\"100\"]", "100"))
    #expect(contains("[null, true]", "true") && !contains("[true]", "false"))
    #expect(bytes("[ ]") { JSONScanner.count($0) } == 0)
    #expect(bytes("{\"a\":[1,2],\"b\":{}}") { JSONScanner.count($0) } == 2)
  }

  @Test func textThatIsNotJSONHasNoValues() {
    let texts = [
      "", " ", "[", "]", "[1", "[1,", "[1 2]", "{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\" 1}",
      "{a:1}",
      "\"", "\"\\", "[\"\\", "[\"\\\"", "nul", "[[1]", "{\"a\":}", "\u{FEFF}[]", "{\"\\u12",
      "{\"\\ud800\":",
    ]
    for text in texts {
      #expect(bytes(text) { JSONScanner.count($0) } == nil, "\(text)")
      #expect(member(text, "x", .integer) == nil)
      #expect(!contains(text, "\"x\""))
    }
  }
}
