/// One step from a version of a type's table to the next.
public struct MigrationStep: Sendable {
  /// The step's number; nil until it stands among ``Migrations``.
  public internal(set) var number: Int?
  /// What is done, in order.
  public let changes: [MagicMigrationChange]

  /// - Parameters:
  ///   - number: the step's number, above that of the step before it. Default: one more than that.
  ///   - changes: what is done, in order.
  public init(_ number: Int? = nil, _ changes: () -> [MagicMigrationChange]) {
    self.number = number
    self.changes = changes()
  }
}
