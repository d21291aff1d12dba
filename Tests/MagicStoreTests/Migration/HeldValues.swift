import EngineConformance
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical

/// A value whose type a later version of the program changes.
struct Held<Value: Magical & Sendable>: MagicObject {
  static var tableName: String { "Held" }
  @OptionMagicValue var value: Value?
  init() {}
  init(_ value: Value?) { self.value = value }
}

/// The same with a declaration that the values are converted.
struct Converted<Value: Magical & Sendable>: MagicObject {
  static var tableName: String { "Held" }
  @OptionMagicValue var value: Value?
  static var migrations: Migrations {
    Migrations { MigrationStep { [.convertValue(name: "value")] } }
  }
}

extension Scratch {
  /// Creates a database with objects that hold the values.
  func make<Value: Magical & Sendable>(_ values: [Value?]) throws {
    try using { store in try store.update(contentsOf: values.map { Held($0) }) }
  }
}
