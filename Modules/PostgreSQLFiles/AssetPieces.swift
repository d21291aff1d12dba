package import MagicFiles
package import MagicPostgreSQL
import PostgreSQLTables

/// Writes the content of an asset as rows of `magic_asset_data`.
package enum AssetPieces {
  /// The number of pieces of one COPY, whose rows are in memory.
  private static let count = 8

  private static let insert = PostgreSQLStatement(
    "INSERT INTO magic_assets (name, size) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [.text, .bigint])

  /// Stores an asset in the open transaction, unless it is stored.
  ///
  /// - Parameter fields: memory for parameters, which is emptied.
  /// - Returns: whether the asset was not stored before.
  /// - Throws: `FileError`, also for content that is shorter than its size, and `MagicError` for an error of
  ///   the server.
  @discardableResult
  package static func store(
    _ name: AssetName, _ content: any ReadableFile, on connection: PostgreSQLConnection,
    _ fields: PostgreSQLFields
  ) throws -> Bool {
    fields.removeAll()
    defer { fields.removeAll() }
    fields.append(text: name.text)
    fields.append(integer: Int64(content.size))
    let isNew = try translatingErrors { try connection.run(insert, fields) }.affectedCount > 0
    guard isNew else { return false }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: AssetTables.pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    var (part, offset) = (Int64(0), 0)
    while offset < content.size {
      try Task.checkCancellation()
      fields.removeAll()
      fields.appendCopyHeader()
      for _ in 0..<Self.count where offset < content.size {
        let count = try content.read(at: offset, into: buffer)
        guard count > 0 else { throw FileError(.read, name.text, code: .wrongSize) }
        fields.beginCopyRow(3)
        fields.append(text: name.text)
        fields.append(integer: part)
        fields.append(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        part += 1
        offset += count
      }
      fields.appendCopyTrailer()
      _ = try translatingErrors {
        try connection.copy(
          "COPY magic_asset_data (name, part, bytes) FROM STDIN (FORMAT binary)", in: fields)
      }
    }
    return true
  }
}
