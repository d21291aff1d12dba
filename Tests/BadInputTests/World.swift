import Foundation
import MagicData
import TestModels

/// An object with an asset.
struct Photo: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var year: Int = 2000
  @MagicValue var picture: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<String>?

  init() { picture = .init() }
  init(_ name: String, _ picture: String) {
    self.name = name
    self.picture = .init(value: Data(picture.utf8), pathExtension: "raw")
  }
}

extension MagicData {
  /// The texts of all notes.
  func texts() async throws -> [String] { try await object(of: Note.self).map(\.text) }

  /// The contents of the pictures of all photos, by the photos' names; nil if they cannot be read.
  func pictures() async throws -> [String: String?] {
    let photos = try await object(of: Photo.self)
    return Dictionary(
      uniqueKeysWithValues: photos.map { photo in
        (photo.name, photo.picture.value.map { String(decoding: $0, as: UTF8.self) })
      })
  }
}
