import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Objects that are saved from documents.
@Suite(.everyEngine, .requires([.assets])) struct UpdateTests {
  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  @Test func aStoredObjectKeepsWhatTheDocumentDoesNotContain() async throws {
    let magic = try await magic()
    let node = Node("a", name: "A")
    (node.weight, node.list) = (2, [Node("b")])
    node.picture = MagicAsset(value: Data([1]))
    try await magic.update(node)
    let json = MagicJSON(#"{ "id" : "a", "\u006cabel": "new", "next": {"$ref": "b"} }"#)
    let changed = try await magic.update(json: json, as: Node.self)
    #expect(changed.name == "new" && changed.weight == 2 && changed.next?.id == "b")
    #expect(changed.list.map(\.id) == ["b"] && changed.zIndex == node.zIndex)
    #expect(try changed.picture?.load() == Data([1]))
    #expect(try await magic.query(Node.self).count() == 2)
    let null = try await magic.update(
      json: MagicJSON(#"{"id":"a","next":null,"picture":null,"list":[]}"#), as: Node.self)
    #expect(null.next == nil && null.picture == nil && null.list.isEmpty && null.name == "new")
    await magic.close()
  }

  @Test func referencesFindObjectsOfTheDocumentAndOfTheDatabase() async throws {
    let magic = try await magic()
    let leaf = Leaf("stored")
    try await magic.update(leaf)
    let row = try #require(leaf.zIndex?.rawValue)
    let node = try await magic.update(
      json: MagicJSON(
        """
        {"list":[{"$ref":"b"},{"id":"b","next":{"$ref":"me"}}],
         "named":{"x":{"$ref":\(row)},"y":{"$id":"leaf","text":"new"},"z":{"$ref":"leaf"}},
         "numbered":{"-7":{"$ref":"leaf"}},"measured":[{"key":0.5,"value":{"$ref":"leaf"}}],
         "set":[{"$ref":"b"},{"$ref":"b"}],"$id":"me"}
        """), as: Node.self)
    #expect(node.list.map(\.id) == ["b", "b"] && node.set.map(\.id) == ["b"])
    #expect(node.list[0].next?.id == node.id)
    #expect(node.named["x"]?.text == "stored" && node.named["y"]?.text == "new")
    #expect(node.named["z"]?.zIndex == node.named["y"]?.zIndex)
    #expect(node.numbered[-7]?.text == "new" && node.measured[0.5]?.text == "new")
    #expect(try await magic.query(Leaf.self).count() == 2)
    await magic.close()
  }

  @Test func assignedPrimariesAndVersionsAreThoseOfTheDatabase() async throws {
    let magic = try await magic()
    let list = try await magic.update(
      json: MagicJSON(#"[{"text":"a"},{"text":"b","version":9}]"#), asListOf: Numbered.self)
    #expect(list.map(\.number) == [1, 2] && list.map(\.text) == ["a", "b"])
    #expect(list[0].version == 1)
    let json = try await magic.json(of: list[0])
    list[0].text = "changed"
    try await magic.update(list[0])
    do {
      try await magic.update(json: json, as: Numbered.self)
      Issue.record("An outdated version was saved.")
    } catch let error as MagicError {
      #expect(error.code == .conflict && error.conflict?.version == 1)
      #expect(error.conflict?.storedVersion == 2)
    }
    let current = try await magic.update(
      json: MagicJSON(#"{"number":1,"text":"new","version":2}"#), as: Numbered.self)
    #expect(current.text == "new" && current.version == 3)
    await magic.close()
  }

  private struct Seat: MagicObject {
    static var key: MagicKey<Seat> { MagicKey(\.$owner, \.$number) }
    @MagicValue var number: Int
    @MagicValue var owner: Owner
    @MagicValue var text: String = ""
    @MagicVersion var version: Int

    init() {}
  }

  private struct Owner: MagicObject {
    @PrimaryMagicValue var name: String

    init() {}
  }

  @Test func theVersionOfAnObjectWithAKeyIsCompared() async throws {
    let magic = try await magic()
    func document(_ text: String, version: Int) -> MagicJSON {
      MagicJSON(
        #"{"owner":{"name":"Ann"},"number":1,"text":"\#(text)","version":\#(version)}"#)
    }
    // A new object has no version to compare.
    try await magic.update(json: document("a", version: 9), as: Seat.self)
    let second = try await magic.update(json: document("b", version: 1), as: Seat.self)
    #expect(second.version == 2 && second.text == "b")
    do {
      try await magic.update(json: document("c", version: 1), as: Seat.self)
      Issue.record("An outdated version was saved.")
    } catch let error as MagicError {
      #expect(error.code == .conflict && error.conflict?.version == 1)
      #expect(error.conflict?.storedVersion == 2)
    }
    #expect(try await magic.object(of: Seat.self).map(\.text) == ["b"])
    #expect(try await magic.query(Owner.self).count() == 1)
    await magic.close()
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let json: String
    let reason: MagicJSONError.Reason
    let path: String
    var testDescription: String { "\(reason) \(path) \(json.prefix(40))" }

    init(_ json: String, _ reason: MagicJSONError.Reason, _ path: String = "$") {
      (self.json, self.reason, self.path) = (json, reason, path)
    }
  }

  static let nested = String(repeating: #"{"next":"#, count: 100_000)

  static let refused = [
    Refused("", .wrongType), Refused("null", .wrongType), Refused("[]", .wrongType),
    Refused("{", .invalidJSON), Refused("{}x", .invalidJSON), Refused("{\"id\":}", .invalidJSON),
    Refused(#"{"label" "a"}"#, .invalidJSON), Refused("{\"a\u{0}\":1}", .unknownKey, "$[\"a\\0\"]"),
    Refused(#"{"\ud800":1}"#, .invalidJSON), Refused("{}\u{0}", .invalidJSON),
    Refused(#"{"name":"a"}"#, .unknownKey, "$.name"),
    Refused(#"{"owners":[]}"#, .unknownKey, "$.owners"),
    Refused(#"{"$what":1}"#, .unknownKey, "$.$what"),
    Refused(#"{"list":[{"$objects":[]}]}"#, .unknownKey, "$.list[0].$objects"),
    Refused(#"{"label":"a","label":"b"}"#, .duplicateKey, "$.label"),
    Refused(#"{"label":"a","\u006cabel":"b"}"#, .duplicateKey, "$.label"),
    Refused(#"{"$id":1,"$id":2}"#, .duplicateKey, "$.$id"),
    Refused(#"{"label":1}"#, .wrongType, "$.label"),
    Refused(#"{"label":null}"#, .wrongType, "$.label"),
    Refused("{\"label\":\"a\u{0}\"}", .wrongType, "$.label"),
    Refused(#"{"label":"\ud800"}"#, .wrongType, "$.label"),
    Refused(#"{"weight":1e400}"#, .wrongType, "$.weight"),
    Refused(#"{"weight":01}"#, .wrongType, "$.weight"),
    Refused(#"{"weight":"NaN"}"#, .wrongType, "$.weight"),
    Refused(#"{"weight":\#(String(repeating: "9", count: 100_000))}"#, .wrongType, "$.weight"),
    Refused(#"{"next":[]}"#, .wrongType, "$.next"),
    Refused(#"{"list":{}}"#, .wrongType, "$.list"),
    Refused(#"{"list":[1]}"#, .wrongType, "$.list[0]"),
    Refused(#"{"list":[{},{"weight":true}]}"#, .wrongType, "$.list[1].weight"),
    Refused(#"{"named":[]}"#, .wrongType, "$.named"),
    Refused(#"{"named":{"a":{"text":"x"},"a":{"text":"y"}}}"#, .duplicateKey, "$.named"),
    Refused(#"{"numbered":{"x":{"text":"x"}}}"#, .wrongType, "$.numbered[0]"),
    Refused(#"{"measured":[{"key":1}]}"#, .wrongType, "$.measured[0]"),
    Refused(#"{"measured":[{"key":1,"value":{"text":"x"},"a":1}]}"#, .unknownKey, "$.measured[0]"),
    Refused(#"{"named":{"a":{}}}"#, .missingKey, "$.named[0].text"),
    Refused(#"{"named":{"a":{"$ref":"x"}}}"#, .wrongType, "$.named[0]"),
    Refused(#"{"next":{"$ref":"x"}}"#, .unknownReference, "$.next"),
    Refused(#"{"next":{"$ref":"x","label":"a"}}"#, .unknownKey, "$.next"),
    Refused(#"{"next":{"$ref":[]}}"#, .wrongType, "$.next"),
    Refused(#"{"id":"a","next":{"id":"a"}}"#, .duplicateObject),
    Refused(#"{"$id":1,"next":{"$id":1}}"#, .duplicateObject),
    Refused(#"{"picture":{"$asset":1}}"#, .wrongType, "$.picture"),
    Refused(#"{"picture":{"$asset":"?"}}"#, .wrongType, "$.picture"),
    Refused(#"{"$type":"Leaf"}"#, .wrongType, "$.$type"),
    Refused(#"{"$objects":[{"$type":"Other"}]}"#, .wrongType, "$.$objects[0].$type"),
    Refused(
      nested + "null" + String(repeating: "}", count: 100_000), .tooDeep,
      "$" + String(repeating: ".next", count: 64)),
    Refused(nested, .invalidJSON), Refused(String(repeating: "[", count: 100_000), .wrongType),
  ]

  @Test(arguments: refused) func aWrongDocumentIsRefusedWithItsPlace(_ refused: Refused)
    async throws
  {
    let magic = try await magic()
    do {
      try await magic.update(json: MagicJSON(refused.json), as: Node.self)
      Issue.record("The document was saved.")
    } catch let error as MagicError {
      let cause = try #require(error.cause as? MagicJSONError, "\(error)")
      #expect(cause.reason == refused.reason && cause.path == refused.path, "\(cause)")
    }
    #expect(try await magic.query(Node.self).count() == 0)
    #expect(try await magic.query(Leaf.self).count() == 0)
    await magic.close()
  }

  @Test func bytesThatAreNotUTF8AreRefused() async throws {
    let magic = try await magic()
    for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      let text = Data(#"{"label":""#.utf8) + bytes + Data(#""}"#.utf8)
      await #expect(throws: MagicError.self) {
        try await magic.update(json: MagicJSON(text), as: Node.self)
      }
      await #expect(throws: MagicError.self) {
        try await magic.update(json: MagicJSON(Data(bytes)), asListOf: Node.self)
      }
    }
    #expect(try await magic.query(Node.self).count() == 0)
    await magic.close()
  }

  @Test func oneWrongElementSavesNothing() async throws {
    let magic = try await magic()
    do {
      try await magic.update(
        json: MagicJSON(#"[{"text":"a"},{"text":"b"},{"txt":"c"}]"#), asListOf: Leaf.self)
      Issue.record("The document was saved.")
    } catch let error as MagicError {
      #expect(error.code == .cannotDecode && error.type == "Leaf")
      #expect((error.cause as? MagicJSONError)?.path == "$[2].txt")
    }
    #expect(try await magic.query(Leaf.self).count() == 0)
    await magic.close()
  }

  struct TwoKeys: MagicObject {
    @MagicValue(.named(json: "b")) var a: Int = 0
    @MagicValue var b: Int = 0
    init() {}
  }

  struct EmptyKey: MagicObject {
    @MagicValue(.named(json: "$ref")) var a: Int = 0
    init() {}
  }

  @Test func keysThatClashAreRefused() async throws {
    let magic = try await magic()
    func code(_ body: () async throws -> Void) async -> MagicError.Code? {
      do {
        try await body()
        return nil
      } catch {
        return (error as? MagicError)?.code
      }
    }
    #expect(await code { _ = try await magic.json(of: TwoKeys()) } == .invalidSchema)
    #expect(await code { _ = try await magic.json(of: EmptyKey()) } == .invalidSchema)
    await magic.close()
  }
}
