import Foundation
import MagicAssets
import MagicAsync
import MagicRelations
import MagicStore

extension Rows {
  static let photos = 1...24
  /// Row 5, which shared a file with row 4, and row 24, which was the last.
  static let photosRemoved = [5, 24]
  static let libraries = 1...20
}

/// The contents of files and the targets of relationships, computed from the number of the owner.
enum Files {
  /// A photo whose number is a multiple of five has the file of the photo before it.
  static func image(_ photo: Int) -> Data? {
    photo % 5 == 0 ? image(photo - 1) : photo % 7 == 0 ? nil : Sample.data(photo, upTo: 300)
  }

  static func pathExtension(_ photo: Int) -> String {
    ["png", "tar.gz", "A_b-0", ""][photo % 5 == 0 ? (photo - 1) % 4 : photo % 4]
  }

  static func caption(_ photo: Int) -> String? {
    Sample.isNil(photo) ? nil : Sample.text(photo)
  }

  static func letter(_ photo: Int) -> Letter? {
    photo % 4 == 0 ? nil : Letter(heading: Sample.text(photo), pages: Sample.texts(photo))
  }

  static func deputy(_ library: Int) -> Int? { Sample.isNil(library) ? nil : library + 1 }

  /// The members in order, some of them twice, without removed photos.
  static func photos(_ library: Int) -> [Int] {
    (0..<library % 5).map { [1, 2, 3, 4, 6, 7][(library + $0 / 2) % 6] }
  }

  static func readers(_ library: Int) -> Set<Int> {
    library % 4 == 0 ? [] : Set([library, library + 2])
  }

  static func titles(_ library: Int) -> [String: Int] {
    library % 3 == 0 ? [:] : [Sample.text(library) + "!": 8, "nul\0": 9]
  }

  static func years(_ library: Int) -> [Int: Int] {
    library % 3 == 1 ? [:] : [.min: 10, library: 11]
  }

  static func text(_ library: Int) -> String { Sample.text(library) + " of \(library)" }

  static func cover(_ library: Int) -> Data? {
    Sample.isNil(library) ? nil : Sample.data(library, upTo: 100)
  }
}

/// Writes objects with assets and lazy values.
enum PhotosWriting {
  static func write(_ store: MagicObjectStore, people: [Person]) throws {
    let photos = try writePhotos(store)
    let libraries = Rows.libraries.map { number in
      let library = Library()
      library.name = "library \(number)"
      library.keeper = .init(value: people[number - 1])
      library.deputy = Files.deputy(number).map { .init(value: people[$0 - 1]) }
      library.photos = .init(value: Files.photos(number).map { photos[$0 - 1] })
      library.readers = .init(
        value: MagicalSet(Files.readers(number).map { people[$0 - 1] }))
      library.titles = .init(value: Files.titles(number).mapValues { photos[$0 - 1] })
      library.years = .init(value: Files.years(number).mapValues { photos[$0 - 1] })
      library.text = .init(value: .init(value: Files.text(number), pathExtension: "txt"))
      library.cover = Files.cover(number).map { .init(value: .init(value: $0)) }
      return library
    }
    try store.update(contentsOf: libraries)
    try store.remove(contentsOf: Rows.photosRemoved.map { photos[$0 - 1] })
  }

  private static func writePhotos(_ store: MagicObjectStore) throws -> [Photo] {
    let photos = Rows.photos.map { number in
      let photo = Photo()
      if number % 5 != 0, let image = Files.image(number) {
        let pathExtension = Files.pathExtension(number)
        photo.image =
          pathExtension.isEmpty
          ? .init(value: image) : .init(value: image, pathExtension: pathExtension)
      }
      photo.caption = Files.caption(number).map { .init(value: $0, pathExtension: "txt") }
      photo.letter = Files.letter(number).map { .init(value: $0, pathExtension: "json") }
      return photo
    }
    try store.update(contentsOf: photos)
    for number in Rows.photos where number % 5 == 0 {
      photos[number - 1].image = photos[number - 2].image
      try store.update(photos[number - 1])
    }
    return photos
  }
}
