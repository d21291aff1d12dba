package import MagicEngine

/// How a call saves the objects that it names. Objects that they refer to are always saved with the
/// default rules.
package struct SavingRules {
  /// What the call does with a new object whose primary value is stored.
  package enum ExistingRow: Sendable {
    /// Updates the stored row.
    case update
    /// Throws `MagicError` with `.notUnique`.
    case fail
  }

  package var missing: MissingRowPolicy
  package var existing: ExistingRow
  /// The columns by whose values the row of a new object is found, instead of its primary. Empty for
  /// the primary.
  package var matched: [Int]

  package init(
    missing: MissingRowPolicy = .fail, existing: ExistingRow = .update, matched: [Int] = []
  ) {
    (self.missing, self.existing, self.matched) = (missing, existing, matched)
  }
}
