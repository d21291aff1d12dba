package import MagicEngine
import MagicSchema

/// How a call saves the objects that it names. Objects that they refer to are always saved with the
/// default rules.
package struct SavingRules {
  /// What the call does with a new object whose primary value or key is stored.
  package enum ExistingRow: Sendable {
    /// Updates the stored row.
    case update
    /// Updates the assigned properties in the stored row, and reads the others from it.
    case merge
    /// Throws `MagicError` with `.notUnique`.
    case fail
  }

  package var missing: MissingRowPolicy
  package let existing: ExistingRow
  /// The columns by whose values the row of a new object is found, instead of its primary or key.
  /// Empty for the primary and the key.
  package var matched: [Int]
  /// The objects that are inserted if they are new, by instance key. If a row has the primary value
  /// of one of them, the save throws `MagicError` with `.notUnique`, also if the object is saved
  /// because another object refers to it.
  package var insertions: Set<UInt>
  /// The objects that are merged if they are new, by instance key, also if another object refers to
  /// them.
  package let merges: Set<UInt>
  /// Whether any object may be merged.
  let mayMerge: Bool

  package init(
    missing: MissingRowPolicy = .fail, existing: ExistingRow = .update, matched: [Int] = [],
    insertions: Set<UInt> = [], merges: Set<UInt> = []
  ) {
    (self.missing, self.existing, self.matched) = (missing, existing, matched)
    (self.insertions, self.merges) = (insertions, merges)
    mayMerge = existing == .merge || !merges.isEmpty
  }

  /// Whether the row of a new object must not exist.
  @inline(__always)
  func requiresInsertion(of object: ObjectReference, isRoot: Bool) -> Bool {
    isRoot && existing == .fail
      || !insertions.isEmpty && insertions.contains(object.instanceKey)
  }
}
