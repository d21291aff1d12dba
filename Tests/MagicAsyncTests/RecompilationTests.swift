import MagicData
import MagicStore
import MagicTestSupport
import SQLiteEngine
import Testing

/// SQLite compiles a statement once, for any values that are bound to it later.
@Suite struct RecompilationTests {
  /// - Parameter call: receives another number each time.
  private func expectNone(
    at location: SourceLocation = #_sourceLocation,
    _ call: (MagicData, Album, Int) async throws -> Void
  ) async throws {
    // A database in memory has one connection.
    let magic = try await MagicData(type: .memory)
    let tracks = (0..<20).map { Track("track \($0)", seconds: $0) }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: tracks))
    let album = try await magic.object(of: Album.self)[0]
    var counts: [Int] = []
    for number in 1...4 {
      try await call(magic, album, number)
      counts.append(
        try await magic.store.database.reading {
          try #require($0 as? StoreConnection).connection.recompilations
        })
    }
    // The first raw SQL of a connection installs its guard, after which SQLite compiles all again.
    #expect(Set(counts.dropFirst()).count == 1, "\(counts)", sourceLocation: location)
  }

  @Test func anInverseRelationshipIsLookedUpByOneStatement() async throws {
    try await expectNone { magic, _, number in
      let track = try await magic.query(Track.self).where(\.$seconds == number).first()
      var titles: [String] = []
      for try await album in try #require(track).albums { titles.append(album.title) }
      #expect(titles == ["A"])
    }
  }

  @Test func pagesOfMembersAreReadByOneStatement() async throws {
    try await expectNone { _, album, _ in
      var count = 0
      for try await _ in try album.tracks.createAsyncStream() { count += 1 }
      #expect(count == 20)
      let random = try await album.tracks.randomValue()
      #expect(random != nil)
    }
  }

  @Test func aQueryIsCompiledOnceForAllLimits() async throws {
    try await expectNone { magic, _, number in
      let tracks = magic.query(Track.self).order(by: \.$seconds)
      let first = try await tracks.first()
      #expect(first?.seconds == 0)
      let some = try await tracks.limit(number).offset(number).all()
      #expect(some.count == number)
      let rows = try await magic.sql("SELECT z_index FROM Track LIMIT \(number)").rows()
      #expect(rows.count == number)
    }
  }

  @Test func aQueryIsCompiledOnceForAllPatterns() async throws {
    try await expectNone { magic, _, number in
      let like = try await magic.query(Track.self).where { $0.$title.like("track \(number)") }
        .count()
      #expect(like == 1)
      let glob = magic.sql("SELECT count(*) FROM Track WHERE title GLOB \("track \(number)")")
      let found = try await glob.value(Int.self)
      #expect(found == 1)
    }
  }
}
