import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import MagicTestSupport
import Testing

typealias Cents = MagicMoney<MagicCents>

enum Genre: String, Magical, CaseIterable { case rock, pop, folk }
enum Mood: Int, Magical { case calm, loud }

struct Celsius: Magical, MagicalOrdered, Equatable {
  var degrees: Double

  var storedValue: Double { degrees }
  init(storedValue: Double) { degrees = storedValue }
}

struct Band: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String = ""
  @OptionMagicValue var founded: Date?
  @MagicValue var songs: [Song] = []
  @OptionMagicValue var rival: Band?
  @ReverseMagicValue(\Song.$writer) var written: AsyncReverseMagicSet<Song>

  init() {}
  init(_ name: String) { (id, self.name) = (name, name) }
}

struct Song: MagicObject {
  @MagicValue(.indexed) var title: String = ""
  @MagicValue var plays: Int = 0
  @MagicValue var level: Int8 = 0
  @MagicValue var rating: Double = 0
  @MagicValue var weight: Float = 0
  @MagicValue var isLive: Bool = false
  @OptionMagicValue var subtitle: String?
  @OptionMagicValue var released: Date?
  @MagicValue var genre: Genre = .rock
  @MagicValue var mood: Mood = .calm
  @MagicValue var price: Cents = .zero
  @MagicValue var cost: Decimal = 0
  @MagicValue var token: UUID = UUID()
  @OptionMagicValue var key: MagicUUID?
  @OptionMagicValue var link: URL?
  @MagicValue var length: Duration = .zero
  @MagicValue var data: Data = Data()
  @MagicValue var tags: [String] = []
  @MagicValue var initial: Character = "x"
  @MagicValue var heat: Celsius = Celsius(storedValue: 0)
  /// The names of keywords.
  @MagicValue var `in`: Int = 0
  @OptionMagicValue var writer: Band?
  @MagicValue var remixes: [Song] = []
  @ReverseMagicValue(\Band.$songs) var bands: AsyncReverseMagicSet<Band>

  init() {}
}

/// Three songs of two bands.
final class SongWorld: Sendable {
  static let day = Date(timeIntervalSinceReferenceDate: 86_400.5)
  static let token = "0F8FAD5B-D9CB-469F-A165-70867728950E"

  let scratch = Scratch()
  let store: MagicObjectStore
  let abba = Band("Abba")
  let blur = Band("Blur")

  init() throws {
    store = try scratch.open()
    let (alpha, beta, gamma) = (Song(), Song(), Song())
    (alpha.title, alpha.plays, alpha.rating, alpha.isLive) = ("Alpha", 10, 4.5, true)
    (alpha.level, alpha.weight, alpha.genre, alpha.mood) = (5, 0.1, .pop, .loud)
    (alpha.price, alpha.cost, alpha.released) = (Cents(units: 19_90), 2.5, Self.day)
    alpha.token = try UUID(storedValue: Self.token)
    alpha.key = MagicUUID(Self.token)
    (alpha.link, alpha.length) = (URL(string: "https://example.com/a"), .seconds(90))
    (alpha.data, alpha.tags, alpha.initial) = (Data([1, 2]), ["new"], "a")
    (alpha.heat, alpha.in, alpha.writer) = (Celsius(storedValue: 21.5), 7, abba)
    (beta.title, beta.plays, beta.subtitle, beta.writer) = ("Beta*", 3, "100%_é", blur)
    (beta.remixes, beta.price) = ([alpha], Cents(units: 500))
    (gamma.title, gamma.plays, gamma.rating) = ("gAmma \"q\"\n", -1, 2)
    (gamma.remixes, gamma.genre) = ([alpha, beta], .folk)
    (abba.songs, blur.songs) = ([alpha, beta], [gamma])
    (abba.founded, blur.rival) = (Self.day, abba)
    try store.update(abba)
    try store.update(blur)
  }

  deinit { store.close() }

  /// Expects the songs that a predicate finds, by their first letter. Expects the same of the
  /// predicate after it was printed and parsed, and after it was encoded and decoded.
  ///
  /// - Parameters:
  ///   - text: The printed predicate; nil to expect no certain one.
  ///   - isPrintable: Whether all values have text forms.
  ///   - isCodable: Whether the predicate contains no object.
  func expect(
    _ predicate: MagicPredicate<Song>, _ letters: String, as text: String? = nil,
    isPrintable: Bool = true, isCodable: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try find(predicate) == letters, sourceLocation: sourceLocation)
    if isPrintable {
      let printed = try predicate.formatText()
      if let text { #expect(printed == text, sourceLocation: sourceLocation) }
      #expect(predicate.description == printed, sourceLocation: sourceLocation)
      let parsed = try MagicPredicate<Song>(text: printed)
      #expect(try find(parsed) == letters, "\(printed)", sourceLocation: sourceLocation)
      #expect(try parsed.formatText() == printed, sourceLocation: sourceLocation)
    } else {
      #expect(throws: MagicError.self, sourceLocation: sourceLocation) {
        try predicate.formatText()
      }
    }
    guard isCodable else {
      #expect(throws: MagicError.self, sourceLocation: sourceLocation) {
        try JSONEncoder().encode(predicate)
      }
      return
    }
    let data = try JSONEncoder().encode(predicate)
    let decoded = try JSONDecoder().decode(MagicPredicate<Song>.self, from: data)
    #expect(
      try find(decoded) == letters, "\(String(decoding: data, as: UTF8.self))",
      sourceLocation: sourceLocation)
  }

  /// Expects that a typed predicate has no text form.
  func expect(
    _ predicate: (MagicRow<Song>) -> MagicPredicate<Song>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var predicates: [MagicPredicate<Song>] = []
    _ = MagicQuery(Song.self).where {
      predicates.append(predicate($0))
      return predicate($0)
    }
    let found = try #require(predicates.first)
    #expect(throws: MagicError.self, sourceLocation: sourceLocation) { try found.formatText() }
    #expect(throws: MagicError.self, sourceLocation: sourceLocation) {
      try JSONEncoder().encode(found)
    }
    #expect(found.description == "<predicate>", sourceLocation: sourceLocation)
  }

  private func find(_ predicate: MagicPredicate<Song>) throws -> String {
    let songs = try store.query(Song.self).where(predicate).all()
    return songs.map { $0.title.lowercased().prefix(1) }.sorted().joined()
  }

  func song(_ letter: String) throws -> Song {
    let songs = try store.query(Song.self).all()
    return try #require(songs.first { $0.title.lowercased().hasPrefix(letter) })
  }
}

/// Expects that a text is refused at a position.
func expectRefused(
  _ text: String, _ arguments: Any?..., at position: Int, _ reason: String,
  property: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    let predicate =
      switch arguments.count {
      case 0: try MagicPredicate<Song>(text: text)
      case 1: try MagicPredicate<Song>(text: text, arguments[0])
      default: try MagicPredicate<Song>(text: text, arguments[0], arguments[1])
      }
    Issue.record("\(text) is accepted as \(predicate)", sourceLocation: sourceLocation)
  } catch let error as MagicError {
    #expect(error.code == .invalidQuery, sourceLocation: sourceLocation)
    #expect(error.textError?.position == position, "\(text)", sourceLocation: sourceLocation)
    #expect(error.message.contains(reason), "\(error)", sourceLocation: sourceLocation)
    if let property { #expect(error.property == property, sourceLocation: sourceLocation) }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
