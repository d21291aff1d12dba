import EngineConformance
import MagicData
import MagicTestSupport
import Testing

private struct Badge: MagicObject {
  @MagicValue(.unique) var number: Int
  @MagicValue var note: String
  @OptionMagicValue var holder: Wearer?

  init() {}
  init(_ number: Int) { (self.number, note) = (number, "note \(number)") }
}

private struct Wearer: MagicObject {
  @MagicValue var name: String

  init() {}
  init(_ name: String) { self.name = name }
}

/// Many changed objects that are saved with one call, which PostgreSQL updates with few statements.
@Suite(.everyEngine) struct ManyUpdatesTests {
  let scratch = Scratch()
  /// More than the number from which PostgreSQL updates rows together.
  private let count = 100

  private func badges() async throws -> (MagicData, [Badge]) {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (0..<count).map { Badge($0) })
    return (magic, try await magic.object(of: Badge.self))
  }

  private func numbers(_ magic: MagicData) async throws -> [Int] {
    try await magic.object(of: Badge.self).map(\.number)
  }

  @Test func aUniqueValueCanMoveToTheNextObject() async throws {
    let (magic, badges) = try await badges()
    for badge in badges { badge.number += 1 }
    try await magic.update(contentsOf: badges.reversed())
    #expect(try await numbers(magic) == Array(1...count))
    await magic.close()
  }

  @Test func aUniqueValueOfAnotherObjectIsRefused() async throws {
    let (magic, badges) = try await badges()
    for badge in badges { badge.note = "changed" }
    (badges[20].number, badges[40].number) = (40, 20)
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: badges)
    }
    #expect(error?.code == .notUnique && error?.property == "number")
    let stored = try await magic.object(of: Badge.self)
    #expect(stored.map(\.number) == Array(0..<count) && !stored.contains { $0.note == "changed" })
    await magic.close()
  }

  @Test func theLastOfTwoObjectsWithOneRowIsStored() async throws {
    let (magic, badges) = try await badges()
    let others = try await magic.object(of: Badge.self)
    for badge in badges { badge.note = "first" }
    for badge in others { badge.note = "second" }
    try await magic.update(contentsOf: badges + others)
    #expect(try await magic.object(of: Badge.self).allSatisfy { $0.note == "second" })
    for (badge, other) in zip(badges, others) {
      (badge.note, other.note, other.number) = ("third", "fourth", other.number + 1_000)
    }
    try await magic.update(contentsOf: others + badges)
    let stored = try await magic.object(of: Badge.self)
    #expect(
      stored.allSatisfy { $0.note == "third" }
        && stored.map(\.number) == Array(1_000..<1_000 + count))
    await magic.close()
  }

  @Test func missingRowsAreFoundInTheirOrder() async throws {
    let (magic, badges) = try await badges()
    let removed = try await magic.query(Badge.self).where(\.$number >= 10).where(\.$number < 13)
      .delete()
    #expect(removed == 3)
    for badge in badges { badge.note = "changed" }
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: badges)
    }
    #expect(error?.code == .notFound && error?.message.contains("Row 11 ") == true)
    #expect(try await magic.query(Badge.self).where(\.$note == "changed").count() == 0)
    try await magic.update(contentsOf: badges, ifMissing: .insert)
    let stored = try await magic.object(of: Badge.self)
    #expect(stored.map(\.number).sorted() == Array(0..<count))
    #expect(stored.allSatisfy { $0.note == "changed" })
    await magic.close()
  }

  @Test func objectsOfAGraphAndDifferentPropertiesAreUpdated() async throws {
    let (magic, badges) = try await badges()
    for (index, badge) in badges.enumerated() {
      badge.holder = Wearer("wearer \(index)")
      if index.isMultiple(of: 2) { badge.note = "even" }
      if index.isMultiple(of: 3) { badge.number += 1_000 }
    }
    try await magic.update(contentsOf: badges)
    for badge in badges {
      badge.holder?.name += "!"
      badge.note += "?"
    }
    try await magic.update(contentsOf: badges)
    for (index, badge) in try await magic.object(of: Badge.self).enumerated() {
      #expect(badge.holder?.name == "wearer \(index)!")
      #expect(badge.note == (index.isMultiple(of: 2) ? "even?" : "note \(index)?"))
      #expect(badge.number == (index.isMultiple(of: 3) ? index + 1_000 : index))
    }
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func newAndStoredObjectsInTurnsAreSaved() async throws {
    let (magic, badges) = try await badges()
    for badge in badges { badge.note = "changed" }
    let all = badges.flatMap { [$0, Badge($0.number + 1_000)] }
    try await magic.update(contentsOf: all)
    let stored = try await magic.object(of: Badge.self)
    #expect(stored.map(\.number).sorted() == Array(0..<count) + Array(1_000..<1_000 + count))
    #expect(stored.filter { $0.note == "changed" }.count == count)
    for badge in all { badge.note = "again" }
    try await magic.update(contentsOf: all)
    #expect(try await magic.query(Badge.self).where(\.$note == "again").count() == 2 * count)
    await magic.close()
  }

  @Test func newObjectsTakeTheValuesThatStoredOnesGiveUp() async throws {
    let (magic, badges) = try await badges()
    let others = badges.map { Badge($0.number) }
    for badge in badges { badge.number += 1_000 }
    try await magic.update(contentsOf: zip(badges, others).flatMap { [$0, $1] })
    #expect(
      try await numbers(magic).sorted() == Array(0..<count) + Array(1_000..<1_000 + count))
    await magic.close()
  }

  @Test func missingRowsAmongNewObjectsAreFound() async throws {
    let (magic, badges) = try await badges()
    #expect(try await magic.query(Badge.self).where(\.$number == 50).delete() == 1)
    for badge in badges { badge.note = "changed" }
    let others = (0..<count).map { Badge($0 + 1_000) }
    let all = zip(badges, others).flatMap { [$0, $1] }
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: all)
    }
    #expect(error?.code == .notFound && error?.message.contains("Row 51 ") == true)
    #expect(try await numbers(magic).count == count - 1)
    #expect(others.allSatisfy { $0.zIndex == nil })
    try await magic.update(contentsOf: all, ifMissing: .insert)
    #expect(
      try await numbers(magic).sorted() == Array(0..<count) + Array(1_000..<1_000 + count))
    #expect(try await magic.verify().isSound)
    await magic.close()
  }
}
