import Foundation

/// The files of assets that rows name before a database is opened: opening removes none of them.
struct NamedContents {
  private let folder: String
  private var names: Set<String> = []

  /// Reads what the columns hold that the database lists, as far as that can be read.
  init(_ workplace: Workplace) {
    folder = workplace.database + "-assets/"
    guard let raw = try? RawDatabase(workplace.database),
      let files = try? Template.made().files,
      let columns = try? raw.rows("SELECT table_name, column_name FROM magic_asset_columns")
    else { return }
    for column in columns.map(Self.texts) where column.count == 2 {
      let rows = try? raw.rows("SELECT \"\(column[1])\" FROM \"\(column[0])\"")
      names.formUnion((rows ?? []).flatMap(Self.texts))
    }
    names = names.filter { files[$0] != nil && isThere($0) }
  }

  private static func texts(_ row: [RawValue]) -> [String] {
    row.compactMap { value in
      guard case .text(let bytes) = value else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + name)
  }

  /// - Throws: `Finding` where one of them is gone.
  func check() throws {
    for name in names where !isThere(name) {
      throw Finding("\(name) is gone, which a row names")
    }
  }
}
