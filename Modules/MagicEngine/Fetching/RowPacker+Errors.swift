public import MagicSchema
public import Magical

/// The errors of values that cannot be packed.
extension RowPacker {
  /// Creates an error that names the type of the row, and no property.
  @usableFromInline
  func error(_ code: MagicError.Code, _ message: String) -> MagicError {
    MagicError(code, message, type: schema.typeName)
  }

  /// Discards the row, and creates the error for a value that is not valid for its property.
  ///
  /// - Parameter found: the value's storage class, or nil for NULL.
  @usableFromInline
  func failure(
    _ found: MagicalStorageClass?, _ index: Int, _ row: UnsafeMutableRawPointer
  ) -> MagicError {
    let column = schema.columns[index]
    discard(row, before: index)
    return failure(reason(found, column), column, row)
  }

  private func reason(_ found: MagicalStorageClass?, _ column: ColumnSchema) -> MagicalError {
    let expected = column.storageClass
    if found != expected { return .wrongStorageClass(expected: expected, found: found) }
    switch expected {
    case .integer: return .outOfRange(column.valueType)
    case .text where column.codec == .uuid: return .cannotDecode("the text is not a UUID")
    case .text where column.codec == .decimal:
      return .cannotDecode("the text is not a decimal number")
    case .text: return .invalidUTF8
    case .real, .blob: return .cannotDecode("the value is not a valid \(column.valueType)")
    }
  }

  func failure(
    _ error: MagicalError, _ column: ColumnSchema, _ row: UnsafeMutableRawPointer
  ) -> MagicError {
    MagicError(
      error, schema: schema, column: column,
      row: row.load(fromByteOffset: RowLayout.zIndexOffset, as: Int64.self))
  }
}
