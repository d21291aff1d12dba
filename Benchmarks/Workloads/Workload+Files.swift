extension Workload {
  static let files = [
    Workload(
      "A1", "insert photos with files of 16 KiB in one durable transaction", durability: .full,
      start: .new
    ) { count in
      Steps(measured: .insertPhotos(PlainPhoto.make(count / 50)), operations: count / 50)
    },
    Workload(
      "A2", "durable saves of photos with files of 16 KiB one by one", durability: .full,
      start: .new, isOfSingleOperations: true
    ) { count in
      Steps(measured: .savePhotos(PlainPhoto.make(count / 200)), operations: count / 200)
    },
    Workload(
      "A3", "stream a film into a file, in pieces of 256 KiB", durability: .full, start: .new
    ) { count in
      let film = film(count)
      return Steps(measured: .storeFilm(film), operations: film.count)
    },
    Workload(
      "A4", "stream the film out of its file, in pieces of 256 KiB", durability: .full
    ) { count in
      let film = film(count)
      return Steps(before: [.storeFilm(film)], measured: .playFilm, operations: film.count)
    },
  ]

  /// A film of 256 MiB for 100,000 people.
  private static func film(_ count: Int) -> PlainFilm {
    PlainFilm(count: max(1, count * 1_024 / 100_000))
  }
}
