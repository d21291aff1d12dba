package import MagicRuntime
package import MagicSchema

/// The change of one row in a transaction.
package struct RowChange: Sendable {
  package enum Kind: UInt8, Sendable {
    case inserted, updated, deleted
  }

  package let zIndex: Int64
  /// The changed columns of an updated row, as indexes in ``TableNames``.
  package var columns: ColumnSet
  private var oldBits: UInt64 = 0
  private var newBits: UInt64 = 0
  package var kind: Kind
  private var oldKind: UInt8 = 0
  private var newKind: UInt8 = 0

  package init(_ kind: Kind, _ zIndex: Int64, columns: ColumnSet = ColumnSet()) {
    self.kind = kind
    self.zIndex = zIndex
    self.columns = columns
  }

  /// The primary value before the change. Nil if there was no row, or the primary is not known.
  package var oldPrimary: ValueDigest? {
    get { oldKind == 0 ? nil : ValueDigest(kind: oldKind, bits: oldBits) }
    set { (oldKind, oldBits) = (newValue?.kind ?? 0, newValue?.bits ?? 0) }
  }

  /// The primary value after the change. Nil as in ``oldPrimary``.
  package var newPrimary: ValueDigest? {
    get { newKind == 0 ? nil : ValueDigest(kind: newKind, bits: newBits) }
    set { (newKind, newBits) = (newValue?.kind ?? 0, newValue?.bits ?? 0) }
  }

  /// Whether the row has or had a primary value.
  package func hasPrimary(_ digest: ValueDigest) -> Bool {
    oldPrimary == digest || newPrimary == digest
  }

  /// Combines this change and a later one. Returns nil if they cancel each other out.
  func followed(by later: RowChange, all: ColumnSet) -> RowChange? {
    var both = self
    both.newPrimary = later.newPrimary
    switch (kind, later.kind) {
    case (.inserted, .deleted): return nil
    case (.inserted, _): return both
    case (_, .deleted): both.kind = .deleted
    case (.deleted, _):
      // A new row has the same ID. Every column may differ from the old row.
      both.kind = .updated
      both.columns = all
    case (.updated, _): both.columns.formUnion(later.columns)
    }
    if both.kind == .deleted { both.columns = ColumnSet() }
    return both
  }
}
