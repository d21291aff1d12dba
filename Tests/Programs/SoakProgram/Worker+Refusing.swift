import Foundation
import MagicData

/// An error that is thrown inside a transaction to roll it back.
struct Refused: Error {}

extension Worker {
  /// Makes a transaction that updates, inserts and removes, and then throws.
  func refuse(_ state: CrateState) async throws -> String {
    let (number, other) = (state.number, newNumber())
    do {
      try await magic.transaction { transaction in
        let crate = try transaction.object(of: Crate.self, primary: number)
        crate.rank += 100
        crate.parcels.append(Parcel(other))
        crate.photo = .init(value: Data(count: 5_000))
        try transaction.update(crate)
        try transaction.query(Parcel.self).where(\.$number == other)
          .update(set: \.$text, to: "none")
        try transaction.remove(crate)
        throw Refused()
      }
      throw Finding("a transaction that threw was stored")
    } catch is Refused {}
    try await compare(state)
    return "refuse"
  }

  /// Makes a transaction with two savepoints, of which the first is rolled back.
  func nest(_ old: CrateState) async throws -> String {
    var state = old
    state.rank = random(0...9)
    let parcel = newNumber()
    state.parcels.append(parcel)
    let (number, rank) = (state.number, state.rank)
    let isStored = try await attempt { [magic] in
      try await magic.transaction { transaction in
        let crate = try transaction.object(of: Crate.self, primary: number)
        crate.rank = rank
        try transaction.update(crate)
        do {
          try transaction.transaction { inner in
            crate.shelves["lost"] = Parcel(parcel)
            try inner.update(crate)
            try inner.removeAll(of: Beat.self)
            throw Refused()
          }
        } catch is Refused {}
        crate.shelves["lost"] = nil
        try transaction.transaction { inner in
          crate.parcels.append(Parcel(parcel))
          try inner.update(crate)
        }
      }
    }
    if isStored { crates[number] = state }
    if held?.number == number { held = nil }
    try await compare(isStored ? state : old)
    return "nest"
  }

  /// Saves a crate with assets and with the unique code of another.
  func violate(_ state: CrateState) async throws -> String {
    guard let code = state.code else { return "nothing to violate" }
    var wanted = newState()
    wanted.code = code
    let crate = Crate()
    crate.number = wanted.number
    crate.task = task
    try await fill(crate, from: CrateState(wanted.number, of: task, label: 0), to: wanted)
    do {
      try await magic.update(crate)
      throw Finding("two crates have the same code")
    } catch let error as MagicError where error.code == .notUnique {}
    let isStored = try await magic.has(of: Crate.self, primary: wanted.number)
    try ledger.check("unique", !isStored && crate.zIndex == nil, "a refused crate was stored")
    return "violate"
  }

  /// Removes a label that crates require.
  func deny(_ state: CrateState) async throws -> String {
    guard let label = labels.first(where: { $0.number == state.label }) else {
      throw Finding("a crate has no label")
    }
    do {
      try await magic.remove(label)
      throw Finding("a label was removed that a crate requires")
    } catch let error as MagicError where error.code == .stillReferenced {}
    return "deny"
  }

  func raiseByQuery() async throws -> String {
    let count = try await magic.query(Crate.self).where(\.$task == task)
      .update(set: \.$rank += 1)
    try ledger.check("bulk", count == crates.count, "\(count) of \(crates.count) crates changed")
    for number in crates.keys { crates[number]?.rank += 1 }
    held = nil
    return "raise by query"
  }

  func raiseBySQL(_ state: CrateState) async throws -> String {
    let number = state.number
    try await magic.sql(
      "UPDATE \(table: Crate.self) SET rank = rank + 2 WHERE number = \(number)"
    ).run()
    crates[number]?.rank += 2
    held = nil
    return "raise by SQL"
  }
}
