import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The documents of objects.
@Suite(.everyEngine, .requires([.assets])) struct DocumentTests {
  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func tree() -> Node {
    let node = Node("a", name: "A")
    let child = Node("b", name: "B\"\n")
    child.next = node
    node.list = [child, Node("c"), child]
    node.named = ["x": Leaf("l")]
    return node
  }

  @Test func theDocumentOfAnObjectHasReferencesToOthers() async throws {
    let magic = try await magic()
    let node = tree()
    try await magic.update(node)
    #expect(
      try await magic.json(of: node).text == """
        {"id":"a","label":"A","weight":0.0,"next":null,"list":[{"$ref":"b"},{"$ref":"c"},\
        {"$ref":"b"}],"set":[],"named":{"x":{"$ref":1}},"numbered":{},"measured":[],"picture":null}
        """)
    await magic.close()
  }

  @Test func membersAreContainedOnce() async throws {
    let magic = try await magic()
    let node = tree()
    try await magic.update(node)
    let text = try await magic.json(of: node, depth: .members(1)).text
    #expect(
      text.hasPrefix(
        #"{"id":"a","label":"A","weight":0.0,"next":null,"list":[{"id":"b","label":"B\"\n","#
          + #""weight":0.0,"next":{"$ref":"a"},"list":[]"#))
    #expect(text.contains(#"},{"$ref":"b"}],"set":[],"named":{"x":{"$id":1,"text":"l""#))
    await magic.close()
  }

  @Test func objectsNeedNotBeSaved() async throws {
    let magic = try await magic()
    let numbered = Numbered("one")
    numbered.other = Leaf("l")
    #expect(
      try await magic.json(of: numbered, depth: .graph).text == """
        {"$id":"new-1","text":"one","other":{"$id":"new-2","text":"l","twin":null}}
        """)
    do {
      _ = try await magic.json(of: numbered)
      Issue.record("A reference to an object without identity was written.")
    } catch let error as MagicError {
      #expect(error.code == .notSaved)
    }
    await magic.close()
  }

  @Test func aListOfObjectsIsAnArray() async throws {
    let magic = try await magic()
    let leaves = ["a", "b"].map(Leaf.init)
    try await magic.update(contentsOf: leaves)
    #expect(
      try await magic.json(contentsOf: leaves + [leaves[0]]).text == """
        [{"$id":1,"text":"a","twin":null},{"$id":2,"text":"b","twin":null},{"$ref":1}]
        """)
    #expect(try await magic.json(contentsOf: [Leaf]()).text == "[]")
    await magic.close()
  }

  @Test func aDocumentIsEncodedAsItsValues() async throws {
    let magic = try await magic()
    let node = tree()
    let json = try await magic.json(of: node, depth: .members(1))
    struct Response: Codable, Equatable {
      var status: Int
      var content: MagicJSON
    }
    let data = try JSONEncoder().encode(Response(status: 1, content: json))
    let read = try #require(
      try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    let expected = try JSONSerialization.jsonObject(with: json.data) as? NSDictionary
    #expect(read["content"] as? NSDictionary == expected)
    // The decoded document has other spaces and another order of keys, and the same values.
    let decoded = try JSONDecoder().decode(Response.self, from: data).content
    #expect(try JSONSerialization.jsonObject(with: decoded.data) as? NSDictionary == expected)
    let numbers = MagicJSON("[-0.0,0,9223372036854775807,18446744073709551615,1e300,true,null]")
    let again = try JSONDecoder().decode(MagicJSON.self, from: JSONEncoder().encode(numbers))
    #expect(
      again.text.hasPrefix("[-0.0,0,9223372036854775807,18446744073709551615,1e+300,true,null]"))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(MagicJSON("{\"a\":[}")) }
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(MagicJSON(deep)) }
    await magic.close()
  }

  @Test func eachValueReturnsBitForBit() async throws {
    let magic = try await magic()
    let values = Values()
    values.text = "\u{0}e\u{301}👩‍👩‍👧\"\\\n\u{7F}"
    (values.int, values.small, values.isOn) = (.min, .max, true)
    (values.real, values.single) = (-0.0, .leastNonzeroMagnitude)
    values.date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    (values.data, values.bytes) = (Data([0, 255, 34]), [255, 0, 34])
    values.decimal = try #require(Decimal(string: "-12345678901234567890.123456789"))
    values.rank = .high
    values.job = Job(title: "\u{0}a", since: Date(timeIntervalSinceReferenceDate: 1 / 3))
    (values.tags, values.numbers, values.sizes) = (["b", "a"], [3, 1], ["x": .pi])
    try await magic.update(values)
    let json = try await magic.json(of: values)
    #expect(json.text.contains(#""tags":["b","a"],"numbers":[1,3],"sizes":{"x":3.14159"#))
    let other = try await self.magic()
    let copy = try await other.update(json: json, as: Values.self)
    #expect(Array(copy.text.utf8) == Array(values.text.utf8))
    #expect(copy.real.bitPattern == values.real.bitPattern && copy.single == values.single)
    #expect(copy.bytes == [255, 0, 34])
    #expect(copy.date == values.date && copy.job == values.job && copy.decimal == values.decimal)
    #expect(copy.values == values.values)
    #expect(try await other.json(of: copy) == json)
    values.real = .infinity
    #expect(
      try await other.update(json: magic.json(of: values), as: Values.self).real == .infinity)
    for magic in [magic, other] { await magic.close() }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-7", -7), ("9223372036854775807", Int.max),
      ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("-", nil), ("+1", nil), ("01", nil), ("1e3", nil), ("1.0", nil), ("0x1", nil), ("1 2", nil),
      ("\"1\"", nil), ("true", nil), ("٣", nil),
    ] as [(String, Int?)])
  func anIntegerHasTheFormOfJSON(_ text: String, _ expected: Int?) async throws {
    let magic = try await magic()
    let json = MagicJSON(#"{"text":"","int":\#(text)}"#)
    if let expected {
      #expect(try await magic.update(json: json, as: Values.self).int == expected)
    } else {
      let error = await #expect(throws: MagicError.self) {
        try await magic.update(json: json, as: Values.self)
      }
      #expect(error?.code == .cannotDecode)
    }
    await magic.close()
  }

  @Test func transactionsAndStoresHaveTheCalls() async throws {
    let magic = try await magic()
    let json = try await magic.transaction { transaction in
      let node = try transaction.update(json: MagicJSON(#"{"id":"a","label":"A"}"#), as: Node.self)
      try transaction.update(json: MagicJSON(#"[{"id":"b"}]"#), asListOf: Node.self)
      #expect(try transaction.json(contentsOf: [node]).text.hasPrefix("[{"))
      return try transaction.json(of: node)
    }
    #expect(json.text.hasPrefix(#"{"id":"a","label":"A","#))
    #expect(try await magic.query(Node.self).count() == 2)
    await magic.close()
  }

  @Test func eachObjectWithinTheDepthIsContainedOnce() async throws {
    let magic = try await magic()
    let (root, a, b, c, d) = (Node("root"), Node("a"), Node("b"), Node("c"), Node("d"))
    (root.next, root.list) = (a, [b])
    (a.next, b.next, c.next) = (b, c, d)
    func contained(_ json: MagicJSON) -> [String] {
      ["root", "a", "b", "c", "d"].filter { json.text.contains("{\"id\":\"\($0)\"") }
    }
    let one = try await magic.json(of: root, depth: .members(1))
    #expect(contained(one) == ["root", "a", "b"], "\(one)")
    let two = try await magic.json(of: root, depth: .members(2))
    #expect(contained(two) == ["root", "a", "b", "c"], "\(two)")
    #expect(two.text.components(separatedBy: "{\"id\":\"b\"").count == 2, "\(two)")
    // Below the first root, b would be at the limit.
    let several = try await magic.json(contentsOf: [root, b], depth: .members(1))
    #expect(contained(several) == ["root", "a", "b", "c"], "\(several)")
    try await magic.update(Node("d"))
    let objects = try await magic.update(json: two, as: Node.self)
    #expect(objects.next?.next?.next?.id == "c" && objects.list.map(\.id) == ["b"])
    await magic.close()
  }
}
