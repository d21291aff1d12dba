import MagicData
import TestModels

/// Every call of a database, about a person whose id is "ada".
func everyVerb(
  of magic: MagicData, on ada: Person, and others: [Person] = []
) -> [@Sendable () async throws -> Void] {
  [
    { try await magic.update(ada) },
    { try await magic.update(contentsOf: [ada] + others) },
    { try await magic.remove(ada) },
    { try await magic.remove(contentsOf: [ada]) },
    { try await magic.removeAll(of: Person.self) },
    { _ = try await magic.object(of: Person.self) as [Person] },
    { _ = try await magic.object(of: Person.self).where { _ in true } },
    { _ = try await magic.object(of: Person.self, primary: "ada") },
    { _ = try await magic.object(of: Person.self, primaries: ["ada"]) },
    { _ = try await magic.has(of: Person.self, primary: "ada") },
  ]
}
