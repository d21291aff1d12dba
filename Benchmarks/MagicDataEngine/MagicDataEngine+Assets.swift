import Foundation
import MagicData
import Workloads

extension MagicDataEngine {
  func insertPhotos(_ photos: [PlainPhoto]) -> Job {
    let photos = photos.map(Photo.init)
    return { _ in
      try await magic.update(contentsOf: photos)
      return Checksum()
    }
  }

  func savePhotos(_ photos: [PlainPhoto]) -> Job {
    let photos = photos.map(Photo.init)
    return { run in
      for photo in photos {
        let start = run.begin()
        try await magic.update(photo)
        run.end(start)
      }
      return Checksum()
    }
  }

  func store(_ film: PlainFilm) -> Job {
    { _ in
      try await magic.update(Photo("film", try await magic.asset(streaming: film)))
      return Checksum()
    }
  }

  func playFilm() -> Job {
    { _ in
      var checksum = Checksum()
      let film = try await magic.object(of: Photo.self, primary: "film")
      for try await piece in film.image.chunks(ofSize: PlainFilm.pieceSize) {
        checksum.add(piece.count)
        checksum.add(Int(piece[piece.startIndex]))
      }
      return checksum
    }
  }
}
