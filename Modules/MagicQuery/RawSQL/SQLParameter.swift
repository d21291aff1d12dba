import Magical
import MagicSQLite
import MagicSchema
import MagicStore

/// A value of a statement, as it is bound when the statement runs.
struct SQLParameter: Sendable {
  /// Writes the value; false for NULL.
  let write: @Sendable (inout ParameterWriter, SQLContext) throws -> Bool

  init<Value: Magical & Sendable>(_ value: Value?) {
    write = { writer, _ in
      guard let value else { return false }
      try value.write(to: &writer)
      return true
    }
  }

  init<Model: MagicObject>(object: Model?) {
    write = { writer, context in
      guard let object else { return false }
      try writer.write(integer: try context.zIndex(of: object).rawValue)
      return true
    }
  }

  /// Binds the value to a parameter, which counts from 1.
  func bind(to statement: SQLiteStatement, at index: Int, _ context: SQLContext) throws {
    var writer = ParameterWriter(
      statement: statement, index: index, arena: context.store.arena)
    do {
      if try !write(&writer, context) { try statement.bindNull(at: index) }
    } catch let error as MagicalError {
      throw MagicError(.cannotEncode, "Value \(index) of the SQL: \(error).", cause: error)
    } catch let error where !(error is MagicError || error is SQLiteError) {
      throw MagicError(
        .cannotEncode, "Value \(index) of the SQL: \(type(of: error)).", cause: error)
    }
  }
}

/// Where a statement runs.
struct SQLContext {
  let store: StoreConnection
  let isInTransaction: Bool

  fileprivate func zIndex<Model: MagicObject>(of object: Model) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    let identity = schema.withReference(to: object) {
      isInTransaction ? $0.identity(inTransactionOf: store.token) : $0.identity
    }
    guard let identity, identity.store == store.token else {
      throw MagicError(
        .notSaved, "An object of the SQL is not in this database.", type: schema.typeName)
    }
    return identity.zIndex
  }
}
