import MagicEngine
package import MagicFiles
package import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables

/// The assets that the open transaction of a connection has stored. Used by the thread that uses the
/// connection.
package final class SessionAssets {
  private let connection: PostgreSQLConnection
  private let token: StoreToken
  private let staging: AssetFolder
  private var stored: [(content: FileContent, file: StagedFile)] = []
  /// The places of the contents in ``stored``.
  private var places: [ObjectIdentifier: Int] = [:]
  private let fields = PostgreSQLFields()

  /// - Parameters:
  ///   - token: the database.
  ///   - staging: the folder of contents that are not stored yet.
  package init(
    _ connection: PostgreSQLConnection, of token: StoreToken, staging: AssetFolder
  ) {
    self.connection = connection
    self.token = token
    self.staging = staging
  }

  package var count: Int { stored.count }

  private static let has = PostgreSQLStatement(
    "SELECT FROM magic_assets WHERE name = $1", [.text])
  private static let deleteUnused = PostgreSQLStatement(
    "DELETE FROM magic_assets WHERE name = ANY($1) AND uses = 0", [.text.array])

  /// Returns the name of the asset with some content. It is stored first if the database does not
  /// have it.
  package func name(of content: FileContent) throws -> String {
    let identifier = ObjectIdentifier(content)
    if let place = places[identifier] { return stored[place].file.name.text }
    if let name = content.name(in: token), try exists(name) { return name }
    let file = try content.usableSource?.stage(in: staging) ?? copy(content)
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
    for place in content.places where place.store != token {
      guard let other = OpenDatabases.shared.database(place.store)?.assets else { continue }
      guard let name = AssetName(place.name) else { throw MagicError.noAssetName() }
      let source = try other.open(name)
      defer { source.close() }
      return try staging.stage(pathExtension: name.pathExtension) { sink in
        try source.copy(to: sink)
      }
    }
    throw MagicError(
      .assetMissing, "The asset was deleted with its row, or its database is closed.")
  }

  /// Stores a file, unless it is stored: the content of a stream may be stored again after a rollback.
  private func store(_ file: StagedFile) throws {
    let source = try file.open()
    defer { source.close() }
    try AssetPieces.store(file.name, source, on: connection, fields)
  }

  // MARK: The end of the transaction

  /// Deletes the assets that the transaction has stored and that no row uses.
  package func prepareCommit() throws {
    guard !stored.isEmpty else { return }
    fields.removeAll()
    fields.beginArray(of: .text, count: stored.count)
    for (_, file) in stored { fields.append(text: file.name.text) }
    fields.endArray()
    _ = try translatingErrors { try connection.run(Self.deleteUnused, fields) }
  }

  /// Records where the contents are. The staged files are removed when nothing else retains them.
  package func didCommit() {
    for (content, file) in stored {
      content.note(FileContent.Place(store: token, name: file.name.text))
    }
    stored.removeAll()
    places.removeAll()
  }

  /// Forgets the assets after the first `count`, because they were rolled back.
  package func discard(after count: Int = 0) {
    guard stored.count > count else { return }
    for (content, file) in stored[count...] {
      places[ObjectIdentifier(content)] = nil
      if content.source?.outlivesRollback != true { staging.discard([file]) }
    }
    stored.removeSubrange(count...)
  }
}
