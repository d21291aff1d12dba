/// One step from a version of a type's table to the next version.
///
/// ```swift
/// MigrationStep { [.renameValue(name: "title", to: "name")] }
/// ```
public struct MigrationStep: Sendable {
  /// The number of the step; nil until the step is part of ``Migrations``.
  public internal(set) var number: Int?
  /// The changes of the step, in order.
  public let changes: [MagicMigrationChange]

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - number: the number of the step, greater than that of the step before it. Default: the
  ///     number of the step before it plus one.
  ///   - changes: the changes of the step, in order.
  public init(_ number: Int? = nil, _ changes: () -> [MagicMigrationChange]) {
    self.number = number
    self.changes = changes()
  }
}
