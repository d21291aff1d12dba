import MagicEngine
import MagicGraph
import MagicSchema

extension EngineReader {
  /// Fetches the object that a row's to-one relationship refers to, with the objects that it refers
  /// to. Nil if the row does not exist or refers to no object.
  func target<Model: MagicObject>(of row: LazyRow, as type: Model.Type) throws -> Model? {
    try inSnapshot {
      guard let field = try storedField(row) else { return nil }
      switch field.kind {
      case .null: return nil
      case .integer: return try objects(of: type, ObjectSchema.of(type), at: [field.integer])[0]
      default:
        throw MagicError.brokenReference(
          from: row.zIndex, of: row.owner, row.owner.columns[row.slot], to: nil)
      }
    }
  }

  /// Returns the file that a row's column refers to.
  ///
  /// - Returns: nil if the row does not exist or the column is NULL. The inner optional is nil for
  ///   a value without content.
  func file(of row: LazyRow) throws -> FileContent?? {
    defer { parameters.removeAll() }
    guard let field = try storedField(row.slot, ofRow: row.zIndex, of: row.owner) else {
      return nil
    }
    let value = FieldReader(parameters, field)
    guard let storageClass = value.storageClass else { return nil }
    guard case .text = storageClass else { throw MagicError.noAssetName() }
    let name = String(decoding: value.bytes, as: UTF8.self)
    guard !name.isEmpty else { return .some(nil) }
    return FileContent(
      at: FileContent.Place(store: row.identity.store, name: name), of: (row.owner, row.slot))
  }

  private func storedField(_ row: LazyRow) throws -> Field? {
    defer { parameters.removeAll() }
    return try storedField(row.slot, ofRow: row.zIndex, of: row.owner)
  }
}
