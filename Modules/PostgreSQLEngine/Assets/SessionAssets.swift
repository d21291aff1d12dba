import MagicEngine
import MagicFiles
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// The assets that the open transaction of a connection has stored. Used by the thread that uses the
/// connection.
final class SessionAssets {
  private let connection: PostgreSQLConnection
  private let context: EngineContext
  private var stored: [(content: FileContent, file: StagedFile)] = []
  /// The places of the contents in ``stored``.
  private var places: [ObjectIdentifier: Int] = [:]
  private let fields = PostgreSQLFields()

  init(_ connection: PostgreSQLConnection, _ context: EngineContext) {
    self.connection = connection
    self.context = context
  }

  var count: Int { stored.count }

  /// The number of pieces of one COPY, whose rows are in memory.
  private static let pieceCount = 8

  private static let has = PostgreSQLStatement(
    "SELECT FROM magic_assets WHERE name = $1", [.text])
  private static let insert = PostgreSQLStatement(
    "INSERT INTO magic_assets (name, size) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [.text, .bigint])
  private static let deleteUnused = PostgreSQLStatement(
    "DELETE FROM magic_assets WHERE name = ANY($1) AND uses = 0", [.text.array])

  /// Returns the name of the asset with some content. It is stored first if the database does not
  /// have it.
  func name(of content: FileContent) throws -> String {
    let identifier = ObjectIdentifier(content)
    if let place = places[identifier] { return stored[place].file.name.text }
    if let name = content.name(in: context.token), try exists(name) { return name }
    let file = try content.usableSource?.stage(in: context.staging) ?? copy(content)
    try store(file)
    places[identifier] = stored.count
    stored.append((content, file))
    return file.name.text
  }

  private func exists(_ name: String) throws -> Bool {
    fields.removeAll()
    fields.append(text: name)
    return try translatingErrors { try connection.run(Self.has, fields) }.count > 0
  }

  /// Copies content from another database.
  private func copy(_ content: FileContent) throws -> StagedFile {
    for place in content.places where place.store != context.token {
      guard let other = OpenDatabases.shared.database(place.store)?.assets else { continue }
      guard let name = AssetName(place.name) else { throw MagicError.noAssetName() }
      let source = try other.open(name)
      defer { source.close() }
      return try context.staging.stage(pathExtension: name.pathExtension) { sink in
        try source.copy(to: sink)
      }
    }
    throw MagicError(
      .assetMissing, "The asset was deleted with its row, or its database is closed.")
  }

  /// Stores a file in pieces, unless it is stored: the content of a stream may be stored again after a
  /// rollback.
  private func store(_ file: StagedFile) throws {
    let source = try file.open()
    defer { source.close() }
    fields.removeAll()
    fields.append(text: file.name.text)
    fields.append(integer: Int64(source.size))
    let isNew = try translatingErrors { try connection.run(Self.insert, fields) }.affectedCount > 0
    guard isNew else { return fields.removeAll() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: AssetTables.pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    var (part, offset) = (Int64(0), 0)
    while offset < source.size {
      try Task.checkCancellation()
      fields.removeAll()
      fields.appendCopyHeader()
      for _ in 0..<Self.pieceCount {
        let count = try source.read(at: offset, into: buffer)
        guard count > 0 else { break }
        fields.beginCopyRow(3)
        fields.append(text: file.name.text)
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
    fields.removeAll()
  }

  // MARK: The end of the transaction

  /// Deletes the assets that the transaction has stored and that no row uses.
  func prepareCommit() throws {
    guard !stored.isEmpty else { return }
    fields.removeAll()
    fields.beginArray(of: .text, count: stored.count)
    for (_, file) in stored { fields.append(text: file.name.text) }
    fields.endArray()
    _ = try translatingErrors { try connection.run(Self.deleteUnused, fields) }
  }

  /// Records where the contents are. The staged files are removed when nothing else retains them.
  func didCommit() {
    for (content, file) in stored {
      content.note(FileContent.Place(store: context.token, name: file.name.text))
    }
    stored.removeAll()
    places.removeAll()
  }

  /// Forgets the assets after the first `count`, because they were rolled back.
  func discard(after count: Int = 0) {
    guard stored.count > count else { return }
    for (content, file) in stored[count...] {
      places[ObjectIdentifier(content)] = nil
      if content.source?.outlivesRollback != true { context.staging.discard([file]) }
    }
    stored.removeSubrange(count...)
  }
}
