package import MagicSchema
import Magical

/// What the engines have in common when a closure of a migration reads and sets columns by name.
extension ObjectSchema {
  /// Returns the index of a column. A renamed property is found by its current name and its former
  /// names.
  ///
  /// - Parameter indices: the indices of the columns, by their folded names.
  /// - Throws: `MagicError` with `.invalidQuery` if the table has no such column.
  package func index(ofColumn name: String, in indices: [String: Int]) throws -> Int {
    if let index = indices[name.folded] { return index }
    guard let index = names(sharedWith: name).lazy.compactMap({ indices[$0.folded] }).first else {
      let table = tableName
      throw MagicError(.invalidQuery, "The table \(table) has no column \(name).", type: typeName)
    }
    return index
  }

  /// Runs a body that reads or writes a value, and names the column and the row in its errors.
  package func converting<Result>(
    _ column: String, of zIndex: ZIndex, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as MagicalError {
      let code: MagicError.Code =
        switch error {
        case .cannotEncode: .cannotEncode
        case .cannotDecode: .cannotDecode
        }
      let table = tableName
      throw MagicError(
        code, "Column \(column) of table \(table) in row \(zIndex.rawValue): \(error).",
        type: typeName, cause: error)
    }
  }
}
