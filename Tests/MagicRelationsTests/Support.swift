import EngineConformance
import MagicRelations
import MagicStore
import SQLiteStore
import Testing

struct Note: MagicObject {
  @MagicValue var text: String = ""

  init() {}
  init(_ text: String) { self.text = text }
}

struct Guest: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var table: Int = 0

  init() {}
  init(_ name: String, table: Int = 0) {
    self.name = name
    self.table = table
  }
}

struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String = ""

  init() {}
  init(_ number: Int) { self.number = number }
}

/// Its text must be set before it can be saved.
struct Draft: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var text: String

  init() {}
  init(_ name: String) { self.name = name }
}

final class Page: MagicObject, @unchecked Sendable {
  @MagicValue var text: String = ""

  init() {}
}

/// A type without a table.
struct Empty: MagicObject {}

func makeStore() throws -> MagicObjectStore { try MagicObjectStore.onTestedEngine(.memory) }

extension MagicObjectStore {
  /// The row of a saved object as another instance.
  func again<Model: MagicObject>(_ object: Model) throws -> Model {
    try #require(try self.object(of: Model.self).first { $0.zIndex == object.zIndex })
  }
}

/// The definition of "the same object", in its simplest form.
func areSame(_ left: Guest, _ right: Guest) throws -> Bool {
  if left.zIndex != nil, right.zIndex != nil { return left.isSameRow(as: right) }
  let schema = try ObjectSchema.of(Guest.self)
  return schema.withReference(to: left) { left in
    schema.withReference(to: right) { right in
      let names = [left, right].map { schema.columns[0].assignedPrimary($0.property(0)) }
      return left.instanceKey == right.instanceKey || names[0] != nil && names[0] == names[1]
    }
  }
}
