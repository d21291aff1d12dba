import MagicEngine
import MagicFiles
import MagicRuntime
import MagicSQLite
package import MagicSchema
import SQLiteFiles
import SQLiteTables

extension WriteTransaction {
  /// The name of content's file; where it is in no file of the database yet, it is written.
  package func fileName(of content: FileContent) throws -> String {
    if let known = staged.file(of: content) { return known.name.text }
    let table = AssetTable(connection: store.connection)
    if let name = content.name(in: store.token), try table.isAlive(name) { return name }
    let file = try content.usableSource?.stage(in: store.files.folder) ?? copy(content)
    staged.append(file, of: content)
    try table.announce(file.name)
    return file.name.text
  }

  /// Copies content from another database.
  private func copy(_ content: FileContent) throws -> StagedFile {
    for place in content.places where place.store != store.token {
      guard let other = OpenDatabases.shared.database(place.store)?.assets else { continue }
      guard let name = AssetName(place.name) else { throw MagicError.noAssetName() }
      let source = try other.open(name)
      defer { source.close() }
      return try store.files.folder.stage(pathExtension: name.pathExtension) { sink in
        try source.copy(to: sink)
      }
    }
    throw MagicError(
      .assetMissing, "The file was removed with its row, or its database is closed.")
  }

  /// The files that the transaction has written are part of the database.
  func noteFiles() {
    for (content, file) in staged.take() {
      content.note(FileContent.Place(store: store.token, name: file.name.text))
    }
  }

  /// Takes back the entries of the files that were written after a number of others, where no
  /// savepoint does: a file that outlives this is entered again.
  func withdrawFiles(after count: Int) {
    guard staged.count > count, store.connection.isInTransaction else { return }
    let table = AssetTable(connection: store.connection)
    for file in staged.files[count...] { try? table.withdraw(file.name) }
  }

  /// Takes back the files that were written after a number of others.
  ///
  /// - Parameter isCertain: whether no row names them; else the next commit finds out, or the next
  ///   sweep.
  func discardFiles(after count: Int = 0, isCertain: Bool = true) {
    guard staged.count > count else { return }
    for (content, file) in staged.take(after: count) {
      if !isCertain {
        file.unpublish()
        store.files.doubt(file)
      } else if content.source?.outlivesRollback == true {
        file.unpublish()
      } else {
        store.files.folder.discard([file])
      }
    }
  }
}
