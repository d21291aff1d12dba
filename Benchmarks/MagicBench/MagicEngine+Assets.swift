import Foundation
import MagicData

extension MagicEngine {
  static func photoRecords(of photos: [PlainPhoto]) -> [Photo] { photos.map(Photo.init) }

  func insertPhotos(_ records: [Photo]) async throws {
    try await magic.update(contentsOf: records)
  }

  func savePhotosOneByOne(_ records: [Photo]) async throws {
    for record in records { try await magic.update(record) }
  }

  func storeFilm(_ film: PlainFilm) async throws {
    try await magic.update(Photo("film", try await magic.asset(streaming: film)))
  }

  func playFilm() async throws -> Checksum {
    var checksum = Checksum()
    let film = try await magic.object(of: Photo.self, primary: "film")
    for try await piece in film.image.chunks(ofSize: PlainFilm.pieceSize) {
      checksum.add(piece.count)
      checksum.add(Int(piece[piece.startIndex]))
    }
    return checksum
  }
}
