import CMagicSQLite
import Foundation
import Workloads

/// Files by hand, in the order that keeps rows and files consistent: each file is complete and
/// synced under its name before the row that refers to it is committed.
extension CTwin {
  static let photoTable = """
    CREATE TABLE photo (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, title TEXT NOT NULL,
      image TEXT NOT NULL);
    CREATE UNIQUE INDEX photo_id ON photo (id)
    """

  func insertPhotos(_ photos: [PlainPhoto]) throws {
    let folder = try openFolder()
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("INSERT INTO photo (id, title, image) VALUES (?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    for photo in photos {
      guard try make("\(photo.id)~", in: folder).append(photo.image) else {
        throw failure(SQLITE_IOERR)
      }
      try insert(photo, statement)
    }
    // One sync of the file system for all files: a sync of each file takes a hundred times as long.
    guard folder.syncFileSystem() else { throw failure(SQLITE_IOERR) }
    for photo in photos { try rename(photo.id, in: folder) }
    try sync(folder)
    try execute("COMMIT")
  }

  func savePhotos(_ photos: [PlainPhoto], _ run: Run) throws {
    let folder = try openFolder()
    let begin = try prepare("BEGIN IMMEDIATE")
    let statement = try prepare("INSERT INTO photo (id, title, image) VALUES (?, ?, ?)")
    let commit = try prepare("COMMIT")
    defer { for each in [begin, statement, commit] { sqlite3_finalize(each) } }
    for photo in photos {
      let start = run.begin()
      let file = try make("\(photo.id)~", in: folder)
      guard file.append(photo.image) else { throw failure(SQLITE_IOERR) }
      try sync(file)
      try rename(photo.id, in: folder)
      try sync(folder)
      try finish(begin)
      try insert(photo, statement)
      try finish(commit)
      run.end(start)
    }
  }

  func storeFilm(_ film: PlainFilm) async throws -> Checksum {
    let folder = try openFolder()
    let file = try make("film~", in: folder)
    for await piece in film { guard file.append(piece) else { throw failure(SQLITE_IOERR) } }
    try sync(file)
    try rename("film", in: folder)
    try sync(folder)
    let statement = try prepare("INSERT INTO photo (id, title, image) VALUES (?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    try insert(PlainPhoto(id: "film", title: "Film", image: Data()), statement)
    return Checksum()
  }

  func playFilm() throws -> Checksum {
    guard let file = PlainFile("film", O_RDONLY, in: try openFolder()) else {
      throw failure(SQLITE_IOERR)
    }
    var checksum = Checksum()
    var piece = [UInt8](repeating: 0, count: PlainFilm.pieceSize)
    while case let count = file.read(into: &piece), count > 0 {
      checksum.add(count)
      checksum.add(Int(piece[0]))
    }
    return checksum
  }

  private func openFolder() throws -> PlainFile {
    let path = String(cString: sqlite3_db_filename(database, "main")) + "-assets"
    _ = mkdir(path, 0o700)
    guard let folder = PlainFile(path, O_RDONLY | O_DIRECTORY) else {
      throw failure(SQLITE_IOERR)
    }
    return folder
  }

  private func make(_ name: String, in folder: PlainFile) throws -> PlainFile {
    guard let file = PlainFile(name, O_CREAT | O_EXCL | O_WRONLY, in: folder) else {
      throw failure(SQLITE_IOERR)
    }
    return file
  }

  private func rename(_ name: String, in folder: PlainFile) throws {
    guard renameat(folder.number, "\(name)~", folder.number, name) == 0 else {
      throw failure(SQLITE_IOERR)
    }
  }

  private func sync(_ file: PlainFile) throws {
    guard file.sync() else { throw failure(SQLITE_IOERR) }
  }

  private func insert(_ photo: PlainPhoto, _ statement: OpaquePointer) throws {
    var id = photo.id
    var title = photo.title
    try id.withUTF8 { id in
      try title.withUTF8 { title in
        bind(id, statement, 1)
        bind(title, statement, 2)
        bind(id, statement, 3)
        try finish(statement)
      }
    }
  }
}
