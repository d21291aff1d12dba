import Testing

@testable import MagicSchema

private struct Pair: MagicObject {
  static var key: MagicKey<Pair> { MagicKey(\.$b, \.$a) }
  @MagicValue var a: Int
  @MagicValue var b: String
  init() {}
}

private struct Indexed: MagicObject {
  static var indexes: [MagicIndex<Indexed>] { [MagicIndex(\.$b, \.$a, isUnique: true)] }
  static var key: MagicKey<Indexed> { MagicKey(\.$b, \.$a) }
  @MagicValue var a: Int
  @MagicValue(.named("c")) var b: String
  init() {}
}

private struct OptionalKey: MagicObject {
  static var key: MagicKey<OptionalKey> { MagicKey(\.$a, \.$b) }
  @MagicValue var a: Int
  @OptionMagicValue var b: Int?
  init() {}
}

private struct OptionalToOne: MagicObject {
  static var key: MagicKey<OptionalToOne> { MagicKey(\.$pair, \.$a) }
  @MagicValue var a: Int
  @OptionMagicValue var pair: Pair?
  init() {}
}

private struct RepeatedKey: MagicObject {
  static var key: MagicKey<RepeatedKey> { MagicKey(\.$a, \.$b, \.$a) }
  @MagicValue var a: Int
  @MagicValue var b: Int
  init() {}
}

private struct ListKey: MagicObject {
  static var key: MagicKey<ListKey> { MagicKey(\.$a, \.$list) }
  @MagicValue var a: Int
  @MagicValue var list: [Pair] = []
  init() {}
}

private struct ForeignKey: MagicObject {
  static var key: MagicKey<ForeignKey> { MagicKey(\.$a, \.$pair.$a) }
  @MagicValue var a: Int
  @MagicValue var pair: Pair
  init() {}
}

private struct PrimaryKey: MagicObject {
  static var key: MagicKey<PrimaryKey> { MagicKey(\.$id, \.$a) }
  @PrimaryMagicValue var id: Int
  @MagicValue var a: Int
  init() {}
}

private struct VersionKey: MagicObject {
  static var key: MagicKey<VersionKey> { MagicKey(\.$a, \.$version) }
  @MagicVersion var version: Int
  @MagicValue var a: Int
  init() {}
}

/// A property of the type that has the name of the requirement is no key.
private struct OtherKey: MagicObject {
  static var key: String { "k" }
  @MagicValue var key: String
  init() {}
}

@Suite struct KeyRuleTests {
  private func expectRefusal<Model: MagicObject>(
    _ type: Model.Type, of property: String? = nil, _ text: String
  ) {
    let error = #expect(throws: MagicError.self) { try ObjectSchema.of(type) }
    #expect(error?.code == .invalidSchema && error?.type == String(describing: type))
    #expect(error?.property == property)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test func aKeyIsAUniqueIndex() throws {
    let schema = try ObjectSchema.of(Pair.self)
    #expect(schema.key == [1, 0])
    #expect(schema.indexes.map(\.name) == ["Pair(b, a) unique"])
    #expect(schema.indexes.map(\.isUnique) == [true])
  }

  @Test func aKeyAndAnEqualIndexAreOneIndex() throws {
    let schema = try ObjectSchema.of(Indexed.self)
    #expect(schema.key == [1, 0])
    #expect(schema.indexes.map(\.name) == ["Indexed(c, a) unique"])
  }

  @Test func aTypeWithoutAKeyHasNone() throws {
    #expect(try ObjectSchema.of(OtherKey.self).key.isEmpty)
  }

  @Test func propertiesThatCannotBelongToAKeyAreRefused() {
    expectRefusal(OptionalKey.self, of: "b", "cannot be nil")
    expectRefusal(OptionalToOne.self, of: "pair", "cannot be nil")
    expectRefusal(RepeatedKey.self, of: "a", "twice")
    expectRefusal(ListKey.self, "not a column")
    expectRefusal(ForeignKey.self, "not a column")
    expectRefusal(PrimaryKey.self, of: "id", "primary")
    expectRefusal(VersionKey.self, of: "version", "version")
  }
}
