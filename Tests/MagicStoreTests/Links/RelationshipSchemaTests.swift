import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import Testing

/// Types whose relationships cannot be stored are refused before anything is written.
@Suite(.everyEngine) struct RelationshipSchemaTests {
  let scratch = Scratch()

  struct Sub: MagicObject {
    @MagicValue var name: String = "s"
  }

  private func expectRefusal<Model: MagicObject>(
    _ object: Model, _ property: String, ofType type: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try scratch.using { store throws in
      let calls: [() throws -> Void] = [
        { _ = try store.update(object) }, { _ = try store.object(of: Model.self) },
        { _ = try store.removeAll(of: Model.self) }, { _ = try store.remove(object) },
        { _ = try store.update(contentsOf: [object]) },
      ]
      for call in calls {
        let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
        #expect(error?.code == .invalidSchema, sourceLocation: location)
        #expect(error?.type == type ?? "\(Model.self)", sourceLocation: location)
        #expect(error?.property == property, sourceLocation: location)
      }
      _ = object.debugDescription
      #expect(object.zIndex == nil, sourceLocation: location)
    }
    try scratch.expectRows(0, in: "sqlite_master", sourceLocation: location)
  }

  @Test func arraysOfArrays() throws {
    struct Grid: MagicObject { @MagicValue var cells: [[Sub]] = [] }
    try expectRefusal(Grid(), "cells")
  }

  @Test func dictionariesOfDictionaries() throws {
    struct Grid: MagicObject { @MagicValue var cells: [Int: [String: Sub]] = [:] }
    try expectRefusal(Grid(), "cells")
  }

  @Test func dictionariesOfArrays() throws {
    struct Grid: MagicObject { @MagicValue var cells: [Int: [Sub]] = [:] }
    try expectRefusal(Grid(), "cells")
  }

  @Test func arraysOfDictionariesAndArraysOfOptionals() throws {
    struct Rows: MagicObject { @MagicValue var cells: [[String: Sub]] = [] }
    try expectRefusal(Rows(), "cells")
    struct Holes: MagicObject { @MagicValue var cells: [Sub?] = [] }
    try expectRefusal(Holes(), "cells")
  }

  @Test func setsOfHashableObjects() throws {
    struct Item: MagicObject, Hashable {
      @MagicValue var name: String = ""

      static func == (left: Item, right: Item) -> Bool { left.name == right.name }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
    struct Bag: MagicObject { @MagicValue var items: Set<Item> = [] }
    try expectRefusal(Bag(), "items")
  }

  @Test func optionalCollections() throws {
    struct List: MagicObject { @OptionMagicValue var subs: [Sub]? }
    try expectRefusal(List(), "subs")
    struct Table: MagicObject { @OptionMagicValue var subs: [String: Sub]? }
    try expectRefusal(Table(), "subs")
    struct Bag: MagicObject { @OptionMagicValue var subs: MagicalSet<Sub>? }
    try expectRefusal(Bag(), "subs")
  }

  @Test func uniqueAndIndexedCollections() throws {
    struct Unique: MagicObject { @MagicValue(.unique) var subs: [Sub] = [] }
    try expectRefusal(Unique(), "subs")
    struct Indexed: MagicObject { @MagicValue(.indexed) var subs: MagicalSet<Sub> = [] }
    try expectRefusal(Indexed(), "subs")
    struct Both: MagicObject { @MagicValue(.indexed, .unique) var subs: [Int: Sub] = [:] }
    try expectRefusal(Both(), "subs")
  }

  @Test func indexesOverACollection() throws {
    struct List: MagicObject {
      @MagicValue var subs: [Sub] = []
      static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$subs)] }
    }
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(List()) }
      #expect(error?.code == .invalidSchema)
      #expect(error?.type == "List")
    }
  }

  @Test func nullifyOnARequiredToOne() throws {
    struct Owner: MagicObject { @MagicValue(.onDelete(.nullify)) var sub: Sub }
    try expectRefusal(Owner(), "sub")
  }

  @Test func deleteRulesOnPlainValues() throws {
    struct Name: MagicObject { @MagicValue(.onDelete(.cascade)) var name: String = "" }
    try expectRefusal(Name(), "name")
    struct Names: MagicObject { @MagicValue(.onDelete(.deny)) var names: [String] = [] }
    try expectRefusal(Names(), "names")
    struct Option: MagicObject { @OptionMagicValue(.onDelete(.nullify)) var name: String? }
    try expectRefusal(Option(), "name")
    struct Key: MagicObject {
      @PrimaryMagicValue(.onDelete(.deny)) var id: String
      @MagicValue var name: String = ""
    }
    try expectRefusal(Key(), "id")
  }

  @Test func relationshipsToARefusedType() throws {
    struct Broken: MagicObject {
      @MagicValue var zIndex2: Int = 0
      @MagicValue(.onDelete(.deny)) var name: String = ""
    }
    struct One: MagicObject { @OptionMagicValue var broken: Broken? }
    try expectRefusal(One(), "name", ofType: "Broken")
    struct Many: MagicObject { @MagicValue var broken: [Broken] = [] }
    try expectRefusal(Many(), "name", ofType: "Broken")
    struct Far: MagicObject { @MagicValue var ones: [String: One] = [:] }
    try expectRefusal(Far(), "name", ofType: "Broken")
  }

  @Test func twoCollectionsWhoseNamesDifferInCase() throws {
    struct Owner: MagicObject {
      @MagicValue var subs: [Sub] = []
      @MagicValue(.named("SUBS")) var others: [Sub] = []
    }
    try expectRefusal(Owner(), "others")
  }

  // MARK: Generic code

  struct Crate<Value: Magical & Sendable>: MagicObject {
    static var tableName: String { "Crate" }
    @MagicValue var value: Value

    init() {}
    init(_ value: Value) { self.value = value }
  }

  struct Case<Value: Magical & Sendable>: MagicObject {
    static var tableName: String { "Case" }
    @OptionMagicValue var value: Value?

    init() {}
    init(_ value: Value?) { self.value = value }
  }

  private func expectClear<Model: MagicObject>(
    _ object: Model, at location: SourceLocation = #_sourceLocation
  ) throws {
    try scratch.using { store throws in
      for _ in 0..<2 {
        do {
          try store.update(object)
          let fetched = try store.object(of: Model.self)
          #expect(!fetched.isEmpty, sourceLocation: location)
        } catch let error as MagicError {
          #expect(error.code == .invalidSchema, sourceLocation: location)
          #expect(error.property == "value", sourceLocation: location)
        }
      }
      _ = object.debugDescription
    }
  }

  @Test func aGenericPropertyIsStoredOrRefused() throws {
    try expectClear(Crate([Sub(), Sub()]))
    try expectClear(Crate(Sub()))
    try expectClear(Crate(["a": Sub()]))
    try expectClear(Crate(MagicalSet([Sub()])))
    try expectClear(Crate<Sub>())
    try expectClear(Case([Sub()]))
    try expectClear(Case(Sub()))
    try expectClear(Case<Sub>(nil))
  }

  @Test func aGenericPropertyOfPlainValuesIsStored() throws {
    try scratch.using { store throws in
      try store.update(Crate(["a", "b"]))
      #expect(try store.object(of: Crate<[String]>.self)[0].value == ["a", "b"])
    }
  }

  @Test func aGenericTypeOfObjectsIsStored() throws {
    struct Shelf<Item: MagicObject>: MagicObject {
      static var tableName: String { "Shelf" }
      @MagicValue var items: [Item] = []
      @OptionMagicValue var first: Item?
      @MagicValue var named: [String: Item] = [:]
      init() {}
    }
    try scratch.using { store throws in
      let shelf = Shelf<Sub>()
      (shelf.items, shelf.first) = ([Sub(), Sub()], Sub())
      try store.update(shelf)
      let fetched = try store.object(of: Shelf<Sub>.self)[0]
      #expect(fetched.items.count == 2)
      #expect(fetched.first?.name == "s")
    }
  }
}
