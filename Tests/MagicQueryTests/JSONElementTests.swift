import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

struct Album: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var tags: [String] = []
  @MagicValue var numbers: Set<Int> = []
  @OptionMagicValue var scores: [Double]?
  @MagicValue var places: [PhotoPlace] = []
  @MagicValue var kinds: [PhotoKind] = []
  @MagicValue var dates: [Date] = []
  @MagicValue var bytes: [UInt8] = []
  @MagicValue var prices: [Decimal] = []
  @MagicValue var sizes: [String: Int] = [:]
  @MagicValue var photos: [Photo] = []

  init() {}
}

/// Conditions on the elements of values that are stored as JSON.
@Suite(.everyEngine) struct JSONElementTests {
  private let test: TestStore

  init() throws {
    test = try TestStore()
    let (a, b, c) = (Album(), Album(), Album())
    a.name = "a"
    a.tags = ["sea", "a \"q\" \\ \u{0}n\n", "Ä😀"]
    a.numbers = [3, 1, 20]
    a.scores = [1, 2.5]
    a.places = [PhotoPlace(city: "Köln", height: 1), PhotoPlace(city: "[\"x", height: 2)]
    a.kinds = [.portrait]
    a.dates = [Date(timeIntervalSinceReferenceDate: 0.5)]
    a.sizes = ["w": 4, "h\"\\": -3]
    let photo = Photo()
    photo.name = "p"
    a.photos = [photo]
    b.name = "b"
    b.tags = ["seaside", ""]
    b.numbers = [2]
    b.scores = []
    b.sizes = ["x": 1]
    c.name = "c"
    try test.store.update(contentsOf: [a, b, c])
  }

  private func names(
    _ predicate: (MagicRow<Album>) -> MagicPredicate<Album>
  ) throws -> String {
    try test.store.query(Album.self).where(predicate).order(by: \.$name).select(\.$name).all()
      .joined()
  }

  @Test func aConditionIsTrueForAnElement() throws {
    #expect(try names { $0.$tags.contains { $0.hasPrefix("sea") } } == "ab")
    #expect(try names { $0.$tags.contains { $0 == "a \"q\" \\ \u{0}n\n" } } == "a")
    #expect(try names { $0.$tags.contains { $0.isEmpty } } == "b")
    #expect(try names { $0.$tags.contains { $0.count > 5 } } == "ab")
    #expect(try names { $0.$numbers.contains { $0 > 2 } } == "a")
    #expect(try names { $0.$numbers.contains { $0 * 10 == 200 } } == "a")
    #expect(try names { $0.$scores.contains { $0 < 2 } } == "a")
    #expect(try names { !$0.$scores.contains { $0 < 2 } } == "bc")
    #expect(try names { $0.$kinds.contains { $0 == .portrait } } == "a")
    #expect(try names { $0.$kinds.contains { $0.in([.landscape]) } } == "")
    #expect(try names { $0.$dates.contains { $0.year == 2001 } } == "a")
    #expect(
      try names { $0.$places.contains { $0[json: "city", as: String.self] == "Köln" } } == "a")
    #expect(
      try names { album in album.$tags.contains { $0.count == album.$name.count + 2 } } == "a")
  }

  @Test func aConditionIsTrueForAllOrNoElements() throws {
    #expect(try names { $0.$numbers.allSatisfy { $0 > 1 } } == "bc")
    #expect(try names { $0.$tags.none { $0.hasSuffix("a") } } == "bc")
    #expect(try names { $0.$scores.allSatisfy { $0 > 1 } } == "bc")
    #expect(
      try names { $0.$places.allSatisfy { $0[json: "height", as: Double.self] < 2 } } == "bc")
    #expect(try names { $0.$numbers.count { $0 > 1 } == 2 } == "a")
    #expect(try names { $0.$scores.count { $0 > 0 } == 0 } == "bc")
  }

  @Test func valuesOfDictionariesAreElements() throws {
    #expect(try names { $0.$sizes.values.contains { $0 > 3 } } == "a")
    #expect(try names { $0.$sizes.values.contains(-3) } == "a")
    #expect(try names { $0.$sizes.values.allSatisfy { $0 > 0 } } == "bc")
    #expect(try names { $0.$sizes.values.count == 1 } == "b")
    #expect(try names { $0.$sizes.values.isEmpty } == "c")
    #expect(
      code { try test.store.query(Album.self).select { $0.$sizes.values }.all() } == .invalidQuery)
  }

  @Test func membersAndElementsAreCombined() throws {
    #expect(
      try names { album in
        album.$tags.contains { tag in
          tag == "sea" && album.$numbers.contains { $0 == tag.count }
        }
      } == "a")
    #expect(try names { $0.$photos.contains { $0.$tags.allSatisfy { $0 == "x" } } } == "a")
    #expect(
      try names { album in
        album.$tags.contains { tag in
          MagicQuery(Album.self).exists { $0.$name + "easide" == "b" + tag.outer() }
        }
      } == "")
    #expect(
      try names { album in
        album.$tags.contains { tag in
          MagicQuery(Album.self).exists { $0.$name == tag.prefix(1).outer() }
        }
      } == "a")
    let counts = try test.store.query(Album.self).order(by: \.$name)
      .select { ($0.$tags.count { $0.count > 3 }, $0.$numbers.contains { $0 == 2 }) }.all()
    #expect(counts.map(\.0) == [1, 1, 0])
    #expect(counts.map(\.1) == [false, true, false])
    #expect(
      try test.store.query(Album.self).where { $0.$numbers.contains { $0 > 1 } }.delete() == 2)
  }

  @Test func elementsThatAreNotJSONAreRefused() throws {
    #expect(code { try names { $0.$bytes.contains { $0 > 1 } } } == .invalidQuery)
    #expect(code { try names { $0.$prices.contains { $0 == 1 } } } == .invalidQuery)
    var escaped: MagicExpression<Album, String>?
    _ = try names {
      $0.$tags.contains {
        escaped = $0
        return $0 == "x"
      }
    }
    let outside = try #require(escaped)
    #expect(code { try names { _ in outside == "x" } } == .invalidQuery)
  }

  @Test func queriesWithOtherValuesHaveOneShape() throws {
    func sql(_ value: Int) throws -> String {
      try MagicQuery(Album.self).where { $0.$numbers.contains { $0 > value } }.sql
    }
    #expect(try sql(1) == sql(2))
  }

  /// A visit of each element that read the whole array would take minutes.
  @Test(.timeLimit(.minutes(5))) func longArraysAreVisitedOnce() throws {
    let album = Album()
    album.name = "long"
    album.tags = (0..<200_000).map { "tag \($0)" }
    try test.store.update(album)
    let albums = test.store.query(Album.self).where(\.$name == "long")
    #expect(try albums.where { $0.$tags.contains { $0 == "tag 199999" } }.count() == 1)
    #expect(try albums.where { $0.$tags.none { $0 == "tag" } }.count() == 1)
  }
}
