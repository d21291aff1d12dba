package import MagicSchema

extension Catalogue {
  /// Whether the rows of a type that a type refers to must get other row IDs. Then a reference that
  /// is read now, and followed later, would refer to another row: a lazy relationship is read
  /// without the table of its target.
  package func hasTargetToMove(_ schema: ObjectSchema) throws -> Bool {
    try schema.targets.contains { target in
      guard target.hasRowIDPrimary, let entry = try entry(for: target.tableName) else {
        return false
      }
      return entry.fingerprint != target.fingerprint
    }
  }
}
