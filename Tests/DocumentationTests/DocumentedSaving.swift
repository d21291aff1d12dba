import MagicData
import Testing

// The examples of saving in articles.

struct Reading: MagicObject {
  static var indexes: [MagicIndex<Reading>] { [MagicIndex(\.$sensor, \.$time, .unique)] }

  @PrimaryMagicValue var id: Int
  @MagicValue var sensor: String
  @MagicValue var time: Int
  @MagicValue var degrees: Double

  init() {}

  init(sensor: String, time: Int, degrees: Double) {
    (self.sensor, self.time, self.degrees) = (sensor, time, degrees)
  }
}

struct Account: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var balance: Int = 0
  @MagicVersion var version: Int
}

@Suite struct DocumentedSaving {
  @Test func aSaveOfAnOutdatedObjectConflicts() async throws {
    let magic = try await MagicData(type: .temporary)
    let first = Account()
    try await magic.update(first)
    let id = first.id

    let account = try await magic.object(of: Account.self, primary: id)
    account.balance += 10
    first.balance = 5
    try await magic.update(first)
    await #expect(throws: MagicError.self) { try await magic.update(account) }

    try await changeAccount(id, magic, first)
  }

  private func changeAccount(_ id: String, _ magic: MagicData, _ other: Account) async throws {
    let account = try await magic.object(of: Account.self, primary: id)
    account.balance += 10
    do {
      try await magic.update(account)
    } catch let error as MagicError where error.code == .conflict {
      print(error.conflict?.version ?? 0, error.conflict?.storedVersion ?? 0)  // 1 2
    }
    #expect(account.version == 3)
  }

  @Test func rowsAreFoundByUniqueProperties() async throws {
    let magic = try await MagicData(type: .temporary)

    let first = Reading(sensor: "roof", time: 900, degrees: 18.5)
    try await magic.insert(first)

    let same = Reading(sensor: "roof", time: 900, degrees: 19)
    let row = try await magic.insert(same, orIgnore: true)
    print(row == nil)  // true

    try await magic.update(same, matching: \.$sensor, \.$time)
    print(same.id == first.id)  // true

    #expect(row == nil && same.id == first.id)
    #expect(try await magic.object(of: Reading.self).map(\.degrees) == [19])
  }
}
