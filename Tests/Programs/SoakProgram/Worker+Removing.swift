import Foundation
import MagicData

extension Worker {
  /// Removes a crate with its parcels and files.
  func remove(_ state: CrateState) async throws -> String {
    let crate = try await instance(of: state)
    guard try await attempt({ [magic] in try await magic.remove(crate) }) else {
      held = nil
      return "remove (cancelled)"
    }
    try await recordRemoval(of: state)
    return "remove"
  }

  func removeByQuery(_ state: CrateState) async throws -> String {
    let number = state.number
    let query = MagicQuery(Crate.self).where(\.$number == number)
    let count =
      random(0...1) == 0
      ? try await query.bound(to: magic).delete()
      : try await magic.transaction { try query.bound(to: $0).delete() }
    try ledger.check("bulk", count == 1, "\(count) crates were deleted")
    try await recordRemoval(of: state)
    return "remove by query"
  }

  private func recordRemoval(of state: CrateState) async throws {
    crates[state.number] = nil
    if held?.number == state.number { held = nil }
    for number in state.allParcels.prefix(3) {
      let exists = try await magic.has(of: Parcel.self, primary: number)
      try ledger.check("cascade", !exists, "a parcel of a removed crate exists")
    }
  }

  /// Deletes the parcels that were removed from their crates.
  func removeDropped() async throws {
    let numbers = Array(dropped)
    let count = try await magic.query(Parcel.self).where { $0.$number.in(numbers) }.delete()
    try ledger.check("bulk", count == numbers.count, "\(count) of \(numbers.count) parcels")
    dropped = []
  }

  /// Replaces a tag, which removes the old one from all crates.
  func removeTag() async throws -> String {
    let place = random(0...tags.count - 1)
    let (old, new) = (tags[place], Tag(newNumber()))
    guard
      try await attempt({ [magic] in
        try await magic.transaction { transaction in
          try transaction.remove(old)
          try transaction.update(new)
        }
      })
    else { return "remove tag (cancelled)" }
    tags[place] = new
    for number in crates.keys { crates[number]?.tags.remove(old.number) }
    return "remove tag"
  }
}
