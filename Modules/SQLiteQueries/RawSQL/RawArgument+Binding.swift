import MagicEngine
import MagicSQLite
import MagicSchema
import Magical
import SQLiteEngine

extension RawArgument {
  /// Binds the value to the parameter at an index, from 1.
  func bind(to statement: SQLiteStatement, at index: Int, _ store: StoreConnection) throws {
    var writer = ParameterWriter(
      statement: statement, index: index, arena: store.arena)
    do {
      switch self {
      case .null: try statement.bindNull(at: index)
      case .value(let value): try value.write(to: &writer)
      case .object(let object): try writer.write(integer: try store.zIndex(of: object))
      }
    } catch let error as MagicalError {
      throw MagicError(.cannotEncode, "Value \(index) of the SQL: \(error).", cause: error)
    } catch let error where !(error is MagicError || error is SQLiteError) {
      throw MagicError(
        .cannotEncode, "Value \(index) of the SQL: \(type(of: error)).",
        // The error of a custom type may contain the value, so only the error's type is reported.
        cause: MagicalError.cannotEncode("\(type(of: error))"))
    }
  }
}
