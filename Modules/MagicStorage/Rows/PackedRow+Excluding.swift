/// Relationships that a query does not load with its objects.
extension PackedRow {
  /// Stores the box of a to-one that is not loaded. Called before objects are created from the row.
  ///
  /// The slot, which otherwise contains the row of the target, is then zero.
  package func exclude(_ column: Int, _ box: (_ target: Int64) -> AnyPropertyBox) {
    let target = slot(column).load(as: Int64.self)
    slot(column).storeBytes(of: 0, as: UInt.self)
    _ = record.install(box(target), at: column)
  }

  /// Whether a to-one that is not NULL was not loaded with the row.
  func wasExcluded(_ column: Int) -> Bool { slot(column).load(as: UInt.self) == 0 }
}
