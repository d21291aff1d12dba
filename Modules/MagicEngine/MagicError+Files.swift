import Magical
package import MagicFiles
package import MagicSchema

extension MagicError {
  package static let noLocksMessage =
    "The file system grants no locks. Put the database on a local disk, or on a file system that has "
    + "POSIX locks; that of a network needs its lock service"

  /// Creates an error from a failure of the file system.
  package init(_ error: FileError, schema: ObjectSchema? = nil, column: ColumnSchema? = nil) {
    let isReading = error.operation == .open || error.operation == .read
    let (code, message): (Code, String) =
      switch error.code {
      case .notFound where isReading: (.assetMissing, "The asset's file is not there")
      case .notAFile where isReading:
        (.assetMissing, "Something else lies in the place of the asset's file")
      case .wrongSize: (.cannotDecode, "The asset's file is not as long as it was written")
      case .forked: (.forked, "The database belongs to the process that this one was forked from")
      case .suspended: (.suspended, "The database is suspended, until it is resumed")
      case .diskFull: (.diskFull, "The disk is full. Nothing of the transaction was stored")
      case .noLocks: (.noLocks, Self.noLocksMessage)
      case .denied where !isReading: (.readOnly, "The folder of assets may not be written")
      case .readOnly where !isReading: (.readOnly, "The folder of assets may not be written")
      default: (.inputOutput, "The file system failed")
      }
    self.init(
      code, "\(message): \(error)", type: schema?.typeName, property: column?.property,
      cause: error)
  }

  /// The error for a row that contains another value where a file name is expected.
  package static func noAssetName() -> MagicError {
    MagicError(.cannotDecode, "The row holds no name of an asset's file.")
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
