import EngineConformance
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private struct Seat: MagicObject {
  @MagicValue var deck: Int = 0
  @OptionMagicValue var class_: String?
  @MagicValue var number: Int = 0

  init() {}
  init(_ deck: Int, _ class_: String?, _ number: Int) {
    self.deck = deck
    self.class_ = class_
    self.number = number
  }
}

private struct KindOfPhoto: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var kind: PhotoKind = .portrait
  @OptionMagicValue var more: PhotoKind?

  init() {}
}

/// The objects of a query in sections.
@Suite(.everyEngine) struct SectionTests {
  private func seats() throws -> MagicObjectStore {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    try store.update(contentsOf: [
      Seat(2, "b", 1), Seat(1, nil, 2), Seat(2, "a", 3), Seat(1, "b", 4), Seat(1, "a", 5),
    ])
    return store
  }

  private func shown<Key>(_ sections: [MagicSection<Seat, Key>]) -> [String] {
    sections.map { "\($0.key): \($0.objects.map(\.number))" }
  }

  @Test func sectionsHaveTheOrderOfTheirKeysAndObjectsTheOrderOfTheQuery() throws {
    let seats = try seats().query(Seat.self)
    let sections = seats.order(by: \.$number, .descending).sectioned(by: \.$deck)
    #expect(shown(try sections.all()) == ["1: [5, 4, 2]", "2: [3, 1]"])
    #expect(try sections.count().map(\.key) == [1, 2])
    #expect(try sections.count().map(\.count) == [3, 2])
    let descending = seats.sectioned(by: \.$deck, .descending)
    #expect(shown(try descending.all()) == ["2: [1, 3]", "1: [2, 4, 5]"])
    #expect(try descending.count().map(\.count) == [2, 3])
  }

  @Test func nilIsASection() throws {
    let sections = try seats().query(Seat.self).sectioned(by: \.$class_).all()
    #expect(sections.map(\.key) == [nil, "a", "b"])
    #expect(sections.map { $0.objects.map(\.number) } == [[2], [3, 5], [1, 4]])
  }

  @Test func enumerationsHaveTheOrderOfTheirRawValues() throws {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    for (name, kind, more) in [
      ("a", PhotoKind.portrait, PhotoKind?.none), ("b", .landscape, .portrait),
      ("c", .portrait, .landscape),
    ] {
      let photo = KindOfPhoto()
      (photo.name, photo.kind, photo.more) = (name, kind, more)
      try store.update(photo)
    }
    let photos = store.query(KindOfPhoto.self).order(by: \.$name)
    let sections = try photos.sectioned(by: \.$kind).all()
    #expect(sections.map(\.key) == [.landscape, .portrait])
    #expect(sections.map { $0.objects.map(\.name) } == [["b"], ["a", "c"]])
    let optional = photos.sectioned(by: \.$more, .descending)
    #expect(try optional.all().map(\.key) == [.portrait, .landscape, nil])
    #expect(try optional.count().map(\.count) == [1, 1, 1])
  }

  @Test func aFilterAndALimitApplyToTheObjects() throws {
    let seats = try seats().query(Seat.self)
    let some = seats.where(\.$number > 1).order(by: \.$number).limit(3).sectioned(by: \.$deck)
    #expect(shown(try some.all()) == ["1: [2, 4, 5]"])
    #expect(try some.count().map(\.count) == [3])
    let rest = seats.order(by: \.$number).offset(2).sectioned(by: \.$deck)
    #expect(shown(try rest.all()) == ["1: [5]", "2: [1, 3]"])
    #expect(try rest.count().map(\.count) == [1, 2])
  }

  @Test func noObjectsAreNoSections() throws {
    let empty = try MagicObjectStore.onTestedEngine(.temporary).query(Seat.self).sectioned(
      by: \.$deck)
    #expect(try empty.all().isEmpty)
    #expect(try empty.count().isEmpty)
  }

  @Test func aRandomOrderIsRefused() throws {
    let error = #expect(throws: MagicError.self) {
      try seats().query(Seat.self).order(.random).sectioned(by: \.$deck).all()
    }
    #expect(error?.code == .invalidQuery)
  }
}
