import EngineConformance
import Foundation
import MagicData
import MagicQuery
import MagicSQLite
import MagicTestSupport
import SQLiteStore
import Testing

struct Home: MagicObject {
  @MagicValue var street: String = ""
  @MagicValue var members: [Resident] = []
  @OptionMagicValue var owner: Resident?
  @ReverseMagicValue(\Resident.$home) var residents: AsyncReverseMagicSet<Resident>

  init() {}

  init(_ street: String) { self.street = street }
}

struct Resident: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.indexed) var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var level: Int8 = 0
  @MagicValue var weight: Double = 0
  @MagicValue var isActive: Bool = false
  @OptionMagicValue var nick: String?
  @OptionMagicValue var height: Double?
  @OptionMagicValue var born: Date?
  @MagicValue var money: Decimal = 0
  @MagicValue var token: UUID = UUID()
  @OptionMagicValue var home: Home?
  @MagicValue var friends: MagicalSet<Resident> = []
  @MagicValue var rooms: [String: Home] = [:]
  @ReverseMagicValue(\Home.$members) var homes: AsyncReverseMagicSet<Home>
  @ReverseMagicValue(\Resident.$friends) var fans: AsyncReverseMagicSet<Resident>

  init() {}

  init(_ name: String, age: Int = 0, nick: String? = nil, height: Double? = nil) {
    self.name = name
    self.age = age
    self.nick = nick
    self.height = height
  }
}

/// A type without relationships, so that statements are short.
struct Note: MagicObject {
  @MagicValue var text: String = ""
  @MagicValue(.unique) var rank: Int = 0
  @OptionMagicValue var mark: Int?
  @MagicValue var isDone: Bool = false

  init() {}

  init(_ text: String, rank: Int, mark: Int? = nil) {
    self.text = text
    self.rank = rank
    self.mark = mark
  }
}

/// A type with a required reference.
struct Letter: MagicObject {
  @MagicValue var title: String = ""
  @MagicValue var note: Note
  @OptionMagicValue var reply: Note?

  init() {}

  init(_ title: String, _ note: Note, reply: Note? = nil) {
    self.title = title
    self.note = note
    self.reply = reply
  }
}

/// A private database of a test.
final class TestStore: Sendable {
  let scratch = Scratch()
  let store: MagicObjectStore

  init(options: MagicOptions = .init()) throws {
    store = try scratch.open(options)
  }

  deinit { store.close() }

  /// Four residents: Ada, 36; Ben, 18, "benny"; Cleo, 18; Dora, 70, "100%_\".
  static func ofResidents() throws -> TestStore {
    let test = try TestStore()
    try test.store.update(contentsOf: [
      Resident("Ada", age: 36, height: 1.7), Resident("Ben", age: 18, nick: "benny"),
      Resident("Cleo", age: 18), Resident("Dora", age: 70, nick: "100%_\\", height: 1.5),
    ])
    return test
  }

  /// Checks the SQL of a predicate, and the rows that it finds.
  func expect(
    _ predicate: MagicPredicate<Resident>, _ sql: String, _ names: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      MagicQuery(Resident.self).where(predicate), sql, names, sourceLocation: sourceLocation)
  }

  func expect(
    _ predicate: (MagicRow<Resident>) -> MagicPredicate<Resident>, _ sql: String, _ names: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      MagicQuery(Resident.self).where(predicate), sql, names, sourceLocation: sourceLocation)
  }

  private func expect(
    _ query: MagicQuery<Resident, MagicUnbound>, _ sql: String, _ names: [String],
    sourceLocation: SourceLocation
  ) throws {
    let whole = try query.sql
    let condition = whole.range(of: " WHERE ").map { String(whole[$0.upperBound...]) } ?? ""
    if TestedEngine.current.has(.statements) {
      #expect(condition == sql, sourceLocation: sourceLocation)
    }
    let found = try query.order(by: \.$name).bound(to: store).all().map(\.name)
    #expect(found == names, sourceLocation: sourceLocation)
    #expect(try query.bound(to: store).count() == names.count, sourceLocation: sourceLocation)
    #expect(try query.bound(to: store).exists() == !names.isEmpty, sourceLocation: sourceLocation)
  }
}
