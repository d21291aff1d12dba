import MagicData
import MagicTestSupport

/// Accounts between which all tasks transfer amounts. Every snapshot has the same sum.
struct Bank: Sendable {
  static let accounts = 200
  static let sum = 1_000 * accounts

  private let magic: MagicData
  private let ledger: Ledger
  private let mode: Mode

  init(_ magic: MagicData, _ ledger: Ledger, _ mode: Mode) {
    self.magic = magic
    self.ledger = ledger
    self.mode = mode
  }

  func open() async throws {
    try await magic.update(contentsOf: (0..<Self.accounts).map { Account($0) })
  }

  func transfer(using random: inout SeededRandom) async throws -> String {
    let payer = Int.random(in: 0..<Self.accounts, using: &random)
    let payee = (payer + Int.random(in: 1..<Self.accounts, using: &random)) % Self.accounts
    let amount = Int.random(in: 1...50, using: &random)
    let changesSum = mode == .changesSum && ledger.injectsFlaw(at: 30)
    let isRefused = !changesSum && Int.random(in: 0...9, using: &random) == 0
    let inTwoSteps = Bool.random(using: &random)
    do {
      try await magic.transaction { transaction in
        let from = try transaction.object(of: Account.self, primary: payer)
        if !changesSum { from.balance -= amount }
        try transaction.update(from)
        if isRefused { throw Refused() }
        if inTwoSteps {
          try transaction.query(Account.self).where(\.$number == payee)
            .update(set: \.$balance += amount)
        } else {
          let to = try transaction.object(of: Account.self, primary: payee)
          to.balance += amount
          try transaction.update(to)
        }
      }
      return "transfer"
    } catch is Refused {
      return "transfer rolled back"
    }
  }

  /// Checks the sum of all accounts in one snapshot, computed in two ways.
  func checkSum() async throws -> String {
    let (sum, balances) = try await magic.read { snapshot in
      (
        try snapshot.query(Account.self).sum(\.$balance),
        try snapshot.object(of: Account.self).map(\.balance)
      )
    }
    try ledger.check(
      "sum", sum == Self.sum && balances.reduce(0, +) == Self.sum,
      "the accounts have \(sum) and \(balances.reduce(0, +)), not \(Self.sum)")
    return "sum"
  }
}
