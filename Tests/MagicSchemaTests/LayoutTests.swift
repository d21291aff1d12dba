import Foundation
import MagicSchema
import Magical
import Testing

private struct Dense: MagicObject {
  @MagicValue var a: Int = 1
  @MagicValue var b: String = "b"
  init() {}
}

private struct Scattered: MagicObject {
  var before: UInt8 = 1
  @MagicValue var a: Int = 1
  var between: (String, Bool) = ("x", true)
  @OptionMagicValue var b: String?
  var object: NSObject? { nil }
  @MagicValue var c: Double = 2
  var after: Int32 = 9
  init() {}
}

private struct Nested: MagicObject {
  var inner = Dense()
  @MagicValue var a: Int = 5
  var other = Dense()
  init() {}
}

private final class Shared: MagicObject, @unchecked Sendable {
  var before = "plain"
  @MagicValue var a: Int = 1
  var between: UInt8 = 7
  @OptionMagicValue var b: String?
  init() {}
}

private class Base: @unchecked Sendable {
  var plain = "base"
  @PrimaryMagicValue var id: String
  @MagicValue(.named("Name")) var name: String = "n"
  init() {}
}

private final class Derived: Base, MagicObject, @unchecked Sendable {
  static var indexes: [MagicIndex<Derived>] { [MagicIndex(\.$name, \.$page)] }

  var more = 1
  @MagicValue var page: Int = 2
  override init() { super.init() }
}

private struct Optioned: MagicObject {
  @MagicValue(.indexed, .named("other")) var value: Int = 0
  init() {}
}

private struct Maker: MagicObject {
  // Creating another object for a default must not give its options to this property.
  @MagicValue var value: Int = Optioned().value + 1
  @MagicValue var second: Int = (0..<50).map { _ in Optioned().value }.reduce(0, +)
  @MagicValue(.unique) var third: Int = Optioned().value
  @MagicValue var fourth: Int = 4

  init() {
    _ = Optioned()
    _ = Optioned().zIndex
    second = Optioned().value
  }
}

@Suite struct LayoutTests {
  private func offsets<Model: MagicObject>(_ type: Model.Type) throws -> [Int] {
    try ObjectSchema.of(type).offsets
  }

  /// The references found through the schema are those of the properties, in order.
  private func check<Model: MagicObject>(
    _ object: Model, _ references: [PropertyReference], line: Int = #line
  ) throws {
    let schema = try ObjectSchema.of(Model.self)
    #expect(schema.columns.count == references.count)
    schema.withReference(to: object) { found in
      for (column, reference) in references.enumerated() {
        #expect(
          found.property(column).storage === reference.storage, "column \(column), line \(line)")
      }
    }
  }

  @Test func aStructOfStoredPropertiesHasNoPadding() throws {
    #expect(try offsets(Dense.self) == [0, 16])
    let object = Dense()
    try check(object, [object.$a.reference, object.$b.reference])
  }

  @Test func unstoredPropertiesMayBeAnywhere() throws {
    let object = Scattered()
    try check(object, [object.$a.reference, object.$b.reference, object.$c.reference])
    let names = try ObjectSchema.of(Scattered.self).columns.map(\.name)
    #expect(names == ["a", "b", "c"])
  }

  @Test func objectsInsideAnObjectAreNotColumns() throws {
    let object = Nested()
    try check(object, [object.$a.reference])
    #expect(try offsets(Nested.self) == [32])
  }

  @Test func aClassHasItsPropertiesAfterTheReference() throws {
    let schema = try ObjectSchema.of(Shared.self)
    #expect(schema.isClass)
    let object = Shared()
    try check(object, [object.$a.reference, object.$b.reference])
  }

  @Test func inheritedPropertiesAreFirst() throws {
    let schema = try ObjectSchema.of(Derived.self)
    #expect(schema.columns.map(\.property) == ["id", "name", "page"])
    #expect(schema.columns.map(\.name) == ["id", "Name", "page"])
    #expect(schema.primary == 0)
    #expect(schema.indexes.last?.columns == ["Name", "page"])
    let object = Derived()
    try check(object, [object.$id.reference, object.$name.reference, object.$page.reference])
  }

  @Test func aTypeThatCreatesOtherObjectsKeepsItsOwnOptions() throws {
    for _ in 0..<5 {
      let schema = try ObjectSchema.of(Maker.self)
      #expect(schema.columns.map(\.name) == ["value", "second", "third", "fourth"])
      #expect(schema.columns.map(\.isIndexed) == [false, false, false, false])
      #expect(schema.columns.map(\.isUnique) == [false, false, true, false])
    }
    let other = try ObjectSchema.of(Optioned.self)
    #expect(other.columns.map(\.name) == ["other"])
    #expect(other.columns[0].isIndexed)
  }

  @Test func optionsAreKeptIfAPropertyBoxReusesTheAddressOfAnother() throws {
    // Many types, so that memory freed by one default is taken by the next property.
    struct First: MagicObject {
      @MagicValue var value: Int = Optioned().value
      init() {}
    }
    struct Second: MagicObject {
      @MagicValue var a: Int = Optioned().value
      @MagicValue var b: Int = Optioned().value
      @MagicValue var c: Int = Optioned().value
      init() {}
    }
    #expect(try ObjectSchema.of(First.self).columns.map(\.name) == ["value"])
    #expect(try ObjectSchema.of(First.self).indexes.isEmpty)
    #expect(try ObjectSchema.of(Second.self).columns.map(\.name) == ["a", "b", "c"])
    #expect(try ObjectSchema.of(Second.self).indexes.isEmpty)
  }

  @Test func anInitMayReadTheRowID() throws {
    struct Simple: MagicObject {
      @MagicValue(.indexed) var saved: Bool = false
      init() { saved = zIndex != nil }
    }
    let schema = try ObjectSchema.of(Simple.self)
    #expect(schema.columns.map(\.isIndexed) == [true])
    #expect(!Simple().saved)
  }
}
