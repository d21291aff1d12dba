import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Queries and inverse relationships use lazy relationships like any other.
@Suite(.everyEngine) struct QueryTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ada, ben) = (Artist("Ada", age: 36), Artist("Ben", age: 20))
    let (one, two) = (Track("one", seconds: 10), Track("two", seconds: 20))
    let first = Album("first", by: ada, tracks: [one, two, one])
    first.producer = .init(value: ben)
    first.bonus.set([two])
    first.named.set(["x": one, "y": one])
    let second = Album("second", by: ben, tracks: [two])
    try await magic.update(contentsOf: [first, second])
    return magic
  }

  private func titles(_ query: MagicQuery<Album, MagicData>) async throws -> [String] {
    try await query.order(by: \.$title).all().map(\.title)
  }

  @Test(.requires(.queries)) func keyPathsCrossAToOne() async throws {
    let albums = try await open().query(Album.self)
    #expect(try await titles(albums.where(\.$artist.$name == "Ada")) == ["first"])
    #expect(try await titles(albums.where(\.$artist.$age < 30)) == ["second"])
    #expect(try await titles(albums.where(\.$producer.$name == "Ben")) == ["first"])
    #expect(try await titles(albums.where(\.$producer.$name != "Ben")) == ["second"])
    #expect(try await albums.order(by: \.$artist.$age).all().map(\.title) == ["second", "first"])
    let ages = try await albums.order(by: \.$title).select(\.$artist.$age).all()
    #expect(ages == [36, 20])
  }

  @Test(.requires(.queries)) func closuresCrossAToOne() async throws {
    let albums = try await open().query(Album.self)
    #expect(try await titles(albums.where { $0.$artist.$name.hasPrefix("A") }) == ["first"])
    #expect(try await titles(albums.where { $0.$producer.$age == 20 }) == ["first"])
  }

  @Test(.requires(.queries)) func aToOneIsComparedWithAnObjectAndNil() async throws {
    let magic = try await open()
    let ben = try await magic.object(of: Artist.self, primary: "Ben")
    let albums = magic.query(Album.self)
    #expect(try await titles(albums.where(\.$artist == ben)) == ["second"])
    #expect(try await titles(albums.where(\.$artist != ben)) == ["first"])
    #expect(try await titles(albums.where { $0.$artist == ben }) == ["second"])
    #expect(try await titles(albums.where { $0.$artist != ben }) == ["first"])
    #expect(try await titles(albums.where(\.$producer == ben)) == ["first"])
    #expect(try await titles(albums.where { $0.$producer != ben }) == ["second"])
    #expect(try await titles(albums.where(\.$producer == nil)) == ["second"])
    #expect(try await titles(albums.where(\.$producer != nil)) == ["first"])
  }

  @Test(.requires(.queries)) func membersAreQueried() async throws {
    let magic = try await open()
    let albums = magic.query(Album.self)
    let one = try await magic.object(of: Track.self).where { $0.title == "one" }
    #expect(try await titles(albums.where { $0.$tracks.contains(one) }) == ["first"])
    #expect(
      try await titles(albums.where { $0.$tracks.contains { $0.$seconds > 15 } })
        == ["first", "second"])
    #expect(try await titles(albums.where { $0.$tracks.count == 3 }) == ["first"])
    #expect(try await titles(albums.where { $0.$bonus.isEmpty }) == ["second"])
    #expect(
      try await titles(albums.where { $0.$named.allSatisfy { $0.$title == "one" } }).count == 2)
    #expect(try await titles(albums.where { $0.$named.count > 1 }) == ["first"])
  }

  @Test func everyKindHasAnInverse() async throws {
    let magic = try await open()
    let (ada, ben) = (
      try await magic.object(of: Artist.self, primary: "Ada"),
      try await magic.object(of: Artist.self, primary: "Ben")
    )
    let one = try await magic.object(of: Track.self).where { $0.title == "one" }
    func titles(_ albums: AsyncReverseMagicSet<Album>) async throws -> [String] {
      var titles: [String] = []
      for try await album in albums { titles.append(album.title) }
      return titles
    }
    #expect(try await titles(ada.albums) == ["first"])
    #expect(try await titles(ben.produced) == ["first"])
    #expect(try await ada.produced.count == 0)
    #expect(try await titles(one.albums) == ["first"])
    #expect(try await one.bonusOf.count == 0)
    #expect(try await one.namedIn.count == 1)
  }

  @Test(.requires(.queries)) func queriesUseTheInverse() async throws {
    let magic = try await open()
    let artists = try await magic.query(Artist.self)
      .where { $0.$albums.contains { $0.$title == "second" } }.all()
    #expect(artists.map(\.name) == ["Ben"])
    let tracks = try await magic.query(Track.self).where { $0.$albums.count == 2 }.all()
    #expect(tracks.titles == ["two"])
  }

  @Test(.requires(.rawSQL)) func rawSQLNamesTheColumnAndTheJoinTable() async throws {
    let magic = try await open()
    let ben = try await magic.object(of: Artist.self, primary: "Ben")
    let count = try await magic.sql(
      "SELECT count(*) FROM \(table: Album.self) WHERE \(column: \Album.$artist) = \(ben)"
    ).value(Int.self)
    #expect(count == 1)
    let links = try await magic.sql("SELECT count(*) FROM \(links: \Album.$tracks)").value(Int.self)
    #expect(links == 4)
  }

  @Test(.requires(.statements)) func queriesAcrossALazyToOneUseAnIndex() async throws {
    let magic = try await open()
    let ben = try await magic.object(of: Artist.self, primary: "Ben")
    let plan = try await magic.query(Album.self).where(\.$artist == ben).explain()
    #expect("\(plan)".contains("Album(artist)") || "\(plan)".contains("INDEX"), "\(plan)")
  }

  @Test func theObjectOfALazyToOneIsSelected() async throws {
    let magic = try await open()
    let artists = try await magic.query(Album.self).select(\.$artist).all()
    #expect(try await artists.count == magic.query(Album.self).count())
  }
}
