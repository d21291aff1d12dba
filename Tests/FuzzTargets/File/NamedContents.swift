import Foundation

/// The asset files that rows refer to before a database is opened. Opening must not remove any.
struct NamedContents {
  private let folder: String
  private var names: Set<String> = []

  /// Reads the asset columns that the database lists, as far as they can be read.
  init(_ directory: RunDirectory) {
    folder = directory.database + "-assets/"
    guard let raw = try? RawDatabase(directory.database),
      let files = try? Template.get().files,
      let columns = try? raw.rows("SELECT table_name, column_name FROM magic_asset_columns")
    else { return }
    for column in columns.map(Self.texts) where column.count == 2 {
      let rows = try? raw.rows("SELECT \"\(column[1])\" FROM \"\(column[0])\"")
      names.formUnion((rows ?? []).flatMap(Self.texts))
    }
    names = names.filter { files[$0] != nil && exists($0) }
  }

  private static func texts(_ row: [RawValue]) -> [String] {
    row.compactMap { value in
      guard case .text(let bytes) = value else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + name)
  }

  /// - Throws: `Finding` if one of the files does not exist.
  func check() throws {
    for name in names where !exists(name) {
      throw Finding("\(name), which a row refers to, was deleted")
    }
  }
}
