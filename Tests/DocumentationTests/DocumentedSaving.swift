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

struct Customer: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue(.unique) var email: String
  @MagicValue var calls: Int = 0

  init() {}

  init(id: String) {
    self.id = id
  }
}

extension Account {
  var eTag: String { "\"\(version)\"" }
}

struct Reply: Equatable {
  var status: Int
  var eTag: String?
}

func put(
  balance: Int, of id: String, ifMatch tag: String?, to magic: MagicData
) async throws -> Reply {
  guard let tag else { return Reply(status: 428) }
  do {
    let account = try await magic.object(of: Account.self, primary: id)
    guard account.eTag == tag else { return Reply(status: 412, eTag: account.eTag) }
    account.balance = balance
    try await magic.update(account)
    return Reply(status: 200, eTag: account.eTag)
  } catch let error as MagicError where error.code == .conflict {
    return Reply(status: 412)
  } catch let error as MagicError where error.code == .notFound {
    return Reply(status: 404)
  }
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

  @Test func onlyPropertiesThatWereSetAreMerged() async throws {
    let magic = try await MagicData(type: .temporary)

    let customer = Customer(id: "7")
    (customer.name, customer.email, customer.calls) = ("Ada", "ada@example.org", 3)
    try await magic.merge(customer)  // there is no row: inserted

    let edit = Customer(id: "7")
    edit.name = "Ada Lovelace"
    try await magic.merge(edit)  // writes only the name
    print(edit.email, edit.calls)  // ada@example.org 3

    #expect(edit.calls == 3 && edit.email == "ada@example.org")
    let stored = try await magic.object(of: Customer.self)
    #expect(stored.map(\.name) == ["Ada Lovelace"] && stored[0].calls == 3)
    #expect(try await magic.merge(edit, matching: \.$email) == edit.zIndex)
  }

  @Test func aServerComparesVersions() async throws {
    let magic = try await MagicData(type: .temporary)
    let account = Account()
    try await magic.update(account)
    let id = account.id
    let reply = try await put(balance: 5, of: id, ifMatch: "\"1\"", to: magic)
    #expect(reply == Reply(status: 200, eTag: "\"2\""))
    let outdated = try await put(balance: 6, of: id, ifMatch: "\"1\"", to: magic)
    #expect(outdated == Reply(status: 412, eTag: "\"2\""))
    #expect(try await put(balance: 6, of: id, ifMatch: nil, to: magic).status == 428)
    #expect(try await put(balance: 6, of: "?", ifMatch: "\"1\"", to: magic).status == 404)
    #expect(try await magic.object(of: Account.self, primary: id).balance == 5)
  }
}
