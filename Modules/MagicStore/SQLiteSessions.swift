import MagicEngine
import SQLiteChanges
import SQLiteEngine
import SQLiteQueries

extension StoreConnection: EngineReader {}

extension WriteTransaction: EngineTransaction {
  package var reader: any EngineReader { store }
}
