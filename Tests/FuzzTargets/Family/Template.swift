import Foundation
import MagicAssets
import MagicAsync
import MagicRelations
import MagicStore
import SQLiteStore

/// A valid database with a few rows of every type. Its bytes are the same in every run.
struct Template {
  /// The bytes of the database, with the smallest page size, so that it has many pages.
  let database: [UInt8]
  /// The bytes of a write-ahead log of the database.
  let log: [UInt8]
  /// The asset files, by their names in the asset folder.
  let files: [String: [UInt8]]

  static let pageSize = 512

  static func get() throws -> Template { try shared.get() }

  private static let shared = Result { try Template() }

  private init() throws {
    let directory = try RunDirectory()
    let path = directory.database
    let store = try MagicObjectStore.open(.file(path))
    try Self.fill(store)
    store.close()
    try Self.normalise(path)
    files = try Self.files(in: path + "-assets")
    database = try Self.bytes(of: path)

    // These writes remain in the log as long as the store is open.
    let writing = try MagicObjectStore.open(.file(path))
    let leaves = try writing.object(of: Leaf.self)
    for leaf in leaves { leaf.name += "+" }
    try writing.update(contentsOf: leaves)
    log = WriteAheadLog.sealed(try Self.bytes(of: path + "-wal"))
    writing.close()
  }

  /// Writes the database and its assets to the directory of a run.
  func write(to directory: RunDirectory) throws {
    try directory.write(database, to: "data/main.sqlite3")
    let folder = directory.database + "-assets"
    for (name, bytes) in files {
      try FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: folder + "/" + name).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try directory.write(bytes, to: "data/main.sqlite3-assets/" + name)
    }
  }

  private static func fill(_ store: MagicObjectStore) throws {
    try store.update(contentsOf: (1...4).map { Scalar(number: $0) })
    let leaves = ["birch", "oak", "elm", "ash"].map { Leaf($0) }
    leaves[0].next = leaves[1]
    leaves[1].next = leaves[0]
    let roots = ["first", "second"].map { Root($0) }
    for root in roots {
      root.one = leaves[0]
      root.maybe = leaves[2]
      root.list = [leaves[0], leaves[1], leaves[0]]
      root.group = [leaves[1], leaves[2]]
      root.names = ["a": leaves[3]]
      root.years = [1999: leaves[2]]
      root.spots = [Spot(row: 1, side: "left"): leaves[1]]
    }
    roots[1].up = roots[0]
    try store.update(contentsOf: roots)
    let photos = (1...3).map { number in
      let photo = Photo()
      photo.title = "photo \(number)"
      photo.image = .init(value: Data([1, 2, UInt8(number)]), pathExtension: "png")
      return photo
    }
    photos[0].caption = .init(value: "caption")
    photos[1].letter = .init(value: Job(title: "letter", days: [1]))
    try store.update(contentsOf: photos)
    let library = Library()
    library.name = "library"
    library.keeper = .init(value: leaves[0])
    library.deputy = .init(value: leaves[1])
    library.leaves = .init(value: [leaves[0], leaves[2], leaves[2]])
    library.group = .init(value: [leaves[1], leaves[3]])
    library.titles = .init(value: ["a": photos[0]])
    library.cover = .init(value: .init(value: Data([7, 7])))
    try store.update(library)
  }

  /// Replaces random values by sequential numbers, and sets the page size.
  private static func normalise(_ path: String) throws {
    let raw = try RawDatabase(path)
    try raw.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize)")
    try raw.execute("UPDATE magic_format SET database_id = '0123456789abcdef0123456789abcdef'")
    let columns = [
      ("Photo", "image"), ("Photo", "caption"), ("Photo", "letter"), ("Library", "cover"),
    ]
    let folder = path + "-assets"
    let batch = "00000000000000ba"
    try FileManager.default.createDirectory(
      atPath: folder + "/" + batch, withIntermediateDirectories: true)
    var number = 0
    for (table, column) in columns {
      let select = "SELECT \(column) FROM \(table) WHERE \(column) <> '' ORDER BY z_index"
      for row in try raw.rows(select) {
        guard case .text(let bytes)? = row.first else { continue }
        let name = String(decoding: bytes, as: UTF8.self)
        number += 1
        let digits = String(repeating: "0", count: number < 10 ? 15 : 14) + "\(number)"
        let newName = "\(batch)/\(digits)\(name.dropFirst(33))"
        try FileManager.default.moveItem(
          atPath: folder + "/" + name, toPath: folder + "/" + newName)
        for (table, column) in [(table, column), ("magic_assets", "name")] {
          raw.run(
            "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", [.text(newName), .text(name)])
        }
      }
    }
    try raw.execute("VACUUM; PRAGMA journal_mode = WAL")
    raw.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != batch {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  private static func files(in folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for batch in try FileManager.default.contentsOfDirectory(atPath: folder) {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/" + batch) {
        files[batch + "/" + name] = try bytes(of: folder + "/" + batch + "/" + name)
      }
    }
    return files
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
