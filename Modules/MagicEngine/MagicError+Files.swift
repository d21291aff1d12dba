import Magical
package import MagicFiles
package import MagicSchema

extension MagicError {
  package static let noLocksMessage =
    "The file system does not support POSIX locks. Move the database to a local disk, or start the "
    + "lock service of the network file system"

  /// Creates an error from a failure of the file system.
  package init(_ error: FileError, schema: ObjectSchema? = nil, column: ColumnSchema? = nil) {
    let isReading = error.operation == .open || error.operation == .read
    let (code, message): (Code, String) =
      switch error.code {
      case .notFound where isReading: (.assetMissing, "The asset file does not exist")
      case .notAFile where isReading:
        (.assetMissing, "The path of the asset file is not a regular file")
      case .wrongSize: (.cannotDecode, "The asset file does not have the length that was written")
      case .forked:
        (
          .forked,
          "The database was opened before this process was forked. Only the parent may use it"
        )
      case .suspended: (.suspended, "The database is suspended. Call resume() first")
      case .diskFull: (.diskFull, "The disk is full. The transaction was not stored")
      case .noLocks: (.noLocks, Self.noLocksMessage)
      case .denied where !isReading: (.readOnly, "The assets folder is not writable")
      case .readOnly where !isReading: (.readOnly, "The assets folder is not writable")
      default: (.inputOutput, "A file operation failed")
      }
    self.init(
      code, "\(message): \(error)", type: schema?.typeName, property: column?.property,
      cause: error)
  }

  /// The error for a row that contains another value where a file name is expected.
  package static func noAssetName() -> MagicError {
    MagicError(.cannotDecode, "The row does not contain the name of an asset file.")
  }
}

/// Runs the body, and converts errors of files and conversions to errors that name the property.
package func namingProperty<Result>(
  _ schema: ObjectSchema, _ column: ColumnSchema, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as FileError {
    throw MagicError(error, schema: schema, column: column)
  } catch let error as MagicalError {
    throw MagicError(error, schema: schema, column: column, row: nil)
  } catch let error as MagicError where error.type == nil {
    throw MagicError(
      error.code, error.message, type: schema.typeName, property: column.property,
      cause: error.cause)
  }
}
