import Foundation
import MagicData
import ToolTestSupport

/// A database with types that have search indexes.
enum Library {
  struct Essay: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable) var title: String = ""
    @MagicValue(.searchable) var body: MagicAsset<String>
    @MagicValue(.searchable) var tags: [String] = []
    @MagicValue var section: String = ""
    static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)) }

    init() { body = .init() }
    init(_ id: Int, _ title: String, _ body: String, tags: [String] = [], section: String = "a") {
      self.body = MagicAsset(value: body, pathExtension: "txt")
      self.id = id
      self.title = title
      self.tags = tags
      self.section = section
    }
  }

  struct Part: MagicObject {
    @MagicValue(.searchable) var code: String = ""
    static var search: MagicSearch { .trigrams }

    init() {}
    init(_ code: String) { self.code = code }
  }

  static func fill(_ magic: MagicData) async throws {
    try await magic.update(contentsOf: [
      Essay(1, "Résumé of <b>disks</b>", "A disk. Searching a long text for the word sync."),
      Essay(2, "Disk, disk, disk", "Disks and more disks."),
      Essay(3, "Gardens", "Roses.", tags: ["disk", "<script>alert(1)</script>"], section: "b"),
      Essay(4, "Kitchens", "Nothing that is searched here.", section: "b"),
    ])
    try await magic.update(contentsOf: [Part("AB-1234-X"), Part("CD-5678-Y")])
  }

  /// Calls the body with the path of a filled database, which is closed.
  static func withDatabase<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("library.sqlite3").path
      let magic = try await MagicData(path: path)
      try await fill(magic)
      await magic.close()
      return try await body(path)
    }
  }
}
