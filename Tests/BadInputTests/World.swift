import Foundation
import MagicData

/// Named by a text.
struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var name: String
  @MagicValue var age: Int = 3
  @OptionMagicValue var petName: String?

  init() {}
  init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// Has no name.
struct Note: MagicObject {
  @MagicValue var text: String
  @OptionMagicValue var stars: Int?

  init() {}
  init(_ text: String) { self.text = text }
}

/// Named by a number that the database counts up.
struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String
  @OptionMagicValue(.unique) var seat: String?

  init() {}
  init(_ title: String, seat: String? = nil) {
    self.title = title
    self.seat = seat
  }
}

/// Has files.
struct Photo: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var year: Int = 2000
  @MagicValue var picture: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<String>?

  init() { picture = .init() }
  init(_ name: String, _ picture: String) {
    self.init()
    self.name = name
    self.picture = .init(value: Data(picture.utf8), pathExtension: "raw")
  }
}

extension MagicData {
  /// The texts of all notes.
  func texts() async throws -> [String] { try await object(of: Note.self).map(\.text) }

  /// What the pictures of all photos hold, by the photos' names; nil where that cannot be read.
  func pictures() async throws -> [String: String?] {
    let photos = try await object(of: Photo.self)
    return Dictionary(
      uniqueKeysWithValues: photos.map { photo in
        (photo.name, photo.picture.value.map { String(decoding: $0, as: UTF8.self) })
      })
  }
}
