import MagicEngine
import MagicFiles
import MagicRuntime
import MagicSQLite
package import MagicSchema
import SQLiteFiles
import SQLiteTables

extension WriteTransaction {
  /// Returns the name of the file with some content. The file is written first if the database does
  /// not have it.
  package func fileName(of content: FileContent) throws -> String {
    if let known = staged.file(of: content) { return known.name.text }
    let table = AssetTable(connection: store.connection)
    if let name = content.name(in: store.token), try table.isUsable(name) { return name }
    let file = try content.usableSource?.stage(in: store.files.folder) ?? copy(content)
    staged.append(file, of: content)
    try table.insert(file.name)
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
      .assetMissing, "The file was deleted with its row, or its database is closed.")
  }

  /// Records that the files of the transaction are part of the database.
  func noteFiles() {
    for (content, file) in staged.take() {
      content.note(FileContent.Place(store: store.token, name: file.name.text))
    }
  }

  /// Removes the asset table's entries of all staged files except the first `count`, if no
  /// savepoint does that. A file that is used later is inserted again.
  func removeFileEntries(after count: Int) {
    guard staged.count > count, store.connection.isInTransaction else { return }
    let table = AssetTable(connection: store.connection)
    for file in staged.files[count...] { try? table.remove(file.name) }
  }

  /// Discards all staged files except the first `count`.
  ///
  /// - Parameter isCertain: whether no row refers to the files; else the next commit or sweep
  ///   decides.
  func discardFiles(after count: Int = 0, isCertain: Bool = true) {
    guard staged.count > count else { return }
    for (content, file) in staged.take(after: count) {
      if !isCertain {
        file.unpublish()
        store.files.addUncertain(file)
      } else if content.source?.outlivesRollback == true {
        file.unpublish()
      } else {
        store.files.folder.discard([file])
      }
    }
  }
}
