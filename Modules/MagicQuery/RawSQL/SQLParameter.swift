import Magical
import MagicSQLite
import MagicSchema
import MagicStore

/// A value of a statement, as it is bound when the statement runs.
struct SQLParameter: Sendable {
  /// Writes the value; false for NULL.
  let write: @Sendable (inout ParameterWriter, StoreConnection) throws -> Bool

  init<Value: Magical & Sendable>(_ value: Value?) {
    write = { writer, _ in
      guard let value else { return false }
      try value.write(to: &writer)
      return true
    }
  }

  init<Model: MagicObject>(object: Model?) {
    write = { writer, store in
      guard let object else { return false }
      try writer.write(integer: try store.zIndex(of: object))
      return true
    }
  }

  /// Binds the value to a parameter, which counts from 1.
  func bind(to statement: SQLiteStatement, at index: Int, _ store: StoreConnection) throws {
    var writer = ParameterWriter(
      statement: statement, index: index, arena: store.arena)
    do {
      if try !write(&writer, store) { try statement.bindNull(at: index) }
    } catch let error as MagicalError {
      throw MagicError(.cannotEncode, "Value \(index) of the SQL: \(error).", cause: error)
    } catch let error where !(error is MagicError || error is SQLiteError) {
      throw MagicError(
        .cannotEncode, "Value \(index) of the SQL: \(type(of: error)).",
        // Who made the error may have put the value into it.
        cause: MagicalError.cannotEncode("\(type(of: error))"))
    }
  }
}
