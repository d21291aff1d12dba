import Foundation
import MagicSchema
import Magical
import Testing

private struct Plain: MagicObject {
  var a = 1
  init() {}
}

private struct TwoPrimaries: MagicObject {
  @PrimaryMagicValue var a: String
  @PrimaryMagicValue var b: UUID
  init() {}
}

private struct OwnZIndex: MagicObject {
  @MagicValue var zIndex: Int = 1
  init() {}
}

private struct OwnColumn: MagicObject {
  @MagicValue(.named("Z_Index")) var depth: Int = 1
  init() {}
}

private struct FormerZIndex: MagicObject {
  @MagicValue(.wasNamed("z_index")) var depth: Int = 1
  init() {}
}

private struct CaseTwins: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue(.named("NAME")) var other: String = ""
  init() {}
}

private struct Person: MagicObject {
  @MagicValue var name: String = ""
  init() {}
}

private struct Reserved: MagicObject {
  static var tableName: String { "sqlite_master" }
  @MagicValue var a: Int = 1
  init() {}
}

private struct ReservedByUs: MagicObject {
  static var tableName: String { "Magic_catalogue" }
  @MagicValue var a: Int = 1
  init() {}
}

private struct NoTableName: MagicObject {
  static var tableName: String { "" }
  @MagicValue var a: Int = 1
  init() {}
}

private struct NULTableName: MagicObject {
  static var tableName: String { "a\0b" }
  @MagicValue var a: Int = 1
  init() {}
}

private struct NoColumnName: MagicObject {
  @MagicValue(.named("")) var a: Int = 1
  init() {}
}

private struct NULColumnName: MagicObject {
  @MagicValue(.named("a\0b")) var a: Int = 1
  init() {}
}

private struct NULFormerName: MagicObject {
  @MagicValue(.wasNamed("a\0b")) var a: Int = 1
  init() {}
}

private struct Holder<Value: Magical & Sendable>: MagicObject {
  @OptionMagicValue var value: Value?
  init() {}
}

private struct ForeignIndex: MagicObject {
  static var indexes: [MagicIndex<ForeignIndex>] { [MagicIndex(\.inner.$name)] }
  var inner = Person()
  @MagicValue var a: Int = 1
  init() {}
}

private struct Mirrored: MagicObject, CustomReflectable {
  @MagicValue var a: Int = 1
  var customMirror: Mirror { Mirror(self, children: [("_b", MagicValue<Int>(wrappedValue: 0))]) }
  init() {}
}

private struct NamedRowID: MagicObject {
  @PrimaryMagicValue(.rowID, .named("number")) var id: Int
  init() {}
}

private struct UniqueRowID: MagicObject {
  @PrimaryMagicValue(.rowID, .unique) var id: Int
  init() {}
}

private struct IndexedRowID: MagicObject {
  @PrimaryMagicValue(.rowID, .indexed) var id: Int
  init() {}
}

private struct RowIDAsZIndex: MagicObject {
  @PrimaryMagicValue(.rowID) var zIndex: Int
  init() {}
}

private struct RowIDAndColumn: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue(.named("z_index")) var depth: Int = 1
  init() {}
}

private struct FormerRowID: MagicObject {
  @PrimaryMagicValue(.rowID, .wasNamed("number")) var id: Int
  @MagicValue(.wasNamed("id")) var other: Int = 1
  init() {}
}

@Suite struct SchemaRuleTests {
  private func refusal<Model: MagicObject>(_ type: Model.Type) -> MagicError? {
    do {
      _ = try ObjectSchema.of(type)
      return nil
    } catch {
      return error as? MagicError
    }
  }

  private func expectRefusal<Model: MagicObject>(
    _ type: Model.Type, of property: String? = nil, _ location: SourceLocation = #_sourceLocation
  ) {
    let error = refusal(type)
    #expect(error?.code == .invalidSchema, sourceLocation: location)
    #expect(error?.type == String(describing: type), sourceLocation: location)
    #expect(error?.property == property, sourceLocation: location)
  }

  @Test func aTypeWithoutMagicPropertiesIsRefused() { expectRefusal(Plain.self) }

  @Test func twoPrimariesAreRefused() { expectRefusal(TwoPrimaries.self) }

  @Test func theColumnOfTheRowIDIsReserved() {
    expectRefusal(OwnZIndex.self, of: "zIndex")
    expectRefusal(OwnColumn.self, of: "depth")
    expectRefusal(FormerZIndex.self, of: "depth")
  }

  @Test func aPrimaryThatIsTheRowIDHasNoOptionOfAColumn() throws {
    expectRefusal(NamedRowID.self, of: "id")
    expectRefusal(UniqueRowID.self, of: "id")
    expectRefusal(IndexedRowID.self, of: "id")
    expectRefusal(RowIDAsZIndex.self, of: "zIndex")
    expectRefusal(RowIDAndColumn.self, of: "depth")
    let schema = try ObjectSchema.of(FormerRowID.self)
    #expect(schema.columns.map(\.name) == ["z_index", "other"])
    #expect(schema.primary == 0)
    #expect(schema.hasRowIDPrimary)
    #expect(schema.indexes.isEmpty)
  }

  @Test func columnsThatDifferOnlyInCaseAreRefused() {
    expectRefusal(CaseTwins.self, of: "other")
    #expect(refusal(CaseTwins.self)?.message.contains("name") == true)
  }

  @Test func tableNamesOfSQLiteAndOfTheLibraryAreRefused() {
    expectRefusal(Reserved.self)
    expectRefusal(ReservedByUs.self)
  }

  @Test func emptyNamesAreRefused() {
    expectRefusal(NoTableName.self)
    expectRefusal(NoColumnName.self, of: "a")
  }

  @Test func namesWithNULAreRefused() {
    expectRefusal(NULTableName.self)
    expectRefusal(NULColumnName.self, of: "a")
    expectRefusal(NULFormerName.self, of: "a")
  }

  @Test func objectsInNestedCollectionsAreRefused() {
    expectRefusal(Holder<[[Person]]>.self, of: "value")
    expectRefusal(Holder<[String: [String: Person]]>.self, of: "value")
    expectRefusal(Holder<[String: [Person]]>.self, of: "value")
    expectRefusal(Holder<[[String: Person]]>.self, of: "value")
    expectRefusal(Holder<[Person?]>.self, of: "value")
    expectRefusal(Holder<[[[Int: [Person]]]]>.self, of: "value")
  }

  @Test func collectionsOfValuesAreAccepted() {
    #expect(refusal(Holder<[[Int]]>.self) == nil)
    #expect(refusal(Holder<[String: [String: Int?]]>.self) == nil)
  }

  @Test func anIndexOverAPropertyOfAnotherObjectIsRefused() { expectRefusal(ForeignIndex.self) }

  @Test func moreColumnsThanATableHasAreRefused() {
    let properties = (0..<2_000).map {
      MagicValue<Int>(wrappedValue: 0).schema(named: "p\($0)", options: [])
    }
    #expect(throws: Never.self) { try SchemaRules.check(properties.dropLast(), of: Person.self) }
    #expect {
      try SchemaRules.check(properties, of: Person.self)
    } throws: {
      let error = $0 as? MagicError
      return error?.code == .invalidSchema && error?.message.contains("2000") == true
    }
  }

  @Test func aMirrorOfTheTypesOwnDoesNotChangeItsProperties() throws {
    #expect(try ObjectSchema.of(Mirrored.self).columns.map(\.property) == ["a"])
  }

  @Test func aRefusedTypeIsRefusedEveryTime() {
    expectRefusal(Plain.self)
    expectRefusal(Plain.self)
  }

  @Test func anObjectOfARefusedTypeIsUnsaved() {
    #expect(OwnColumn().zIndex == nil)
    #expect(!OwnColumn().isSameRow(as: OwnColumn()))
  }
}
