import Foundation
import MagicAssets

struct Label: MagicalCodable, Equatable {
  let text: String
  let size: Int
}

/// One property of each kind of asset.
struct Album: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var notes: MagicAsset<String>
  @MagicValue var cover: MagicAsset<Data>
  @OptionMagicValue var label: MagicAsset<Label>?
  @MagicValue var year: Int = 2000

  init() {
    notes = .init()
    cover = .init()
  }

  init(_ name: String, notes: String? = nil) {
    self.name = name
    self.notes = notes.map { .init(value: $0, pathExtension: "txt") } ?? .init()
    cover = .init()
  }
}

extension MagicObjectStore {
  /// The notes of all albums, read from their files.
  func allNotes() throws -> [String?] {
    try object(of: Album.self).map { try $0.notes.load() }
  }

  /// The notes of one album, read from their file.
  func notes(_ name: String) throws -> String? {
    try object(of: Album.self, primary: name).notes.load()
  }
}
