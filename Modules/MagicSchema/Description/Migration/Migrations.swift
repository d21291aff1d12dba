/// The steps that bring a type's table to its shape where that takes more than the type itself
/// shows: what is to become of values, and what may go.
///
/// ```swift
/// static var migrations: Migrations {
///   Migrations {
///     MigrationStep { [.renameValue(name: "title", to: "name")] }
///     MigrationStep { [.transformValue(name: "price") { (price: Double) in Int(price * 100) }] }
///   }
/// }
/// ```
///
/// The file keeps the number of the last step that was taken. When the type is next used, those
/// behind it are taken in their order, in one transaction, and then whatever else the table lacks;
/// so a program may skip any number of versions. Steps are added at the end and never changed. A
/// file that has seen more steps than the type has is refused with
/// ``MagicError/Code/newerSchema``. That is what an empty step is good for as well: it keeps programs
/// of earlier versions from bringing the table back to their shape.
public struct Migrations: Sendable {
  /// The steps, each with a number, in order.
  public let steps: [MigrationStep]

  /// Those of a builder. A step without a number has one more than the step before it, the first
  /// has 1.
  public init(@MagicMigrationsBuilder _ steps: () -> [MigrationStep]) {
    var last = 0
    self.steps = steps().map { step in
      var step = step
      last = step.number ?? (last == .max ? last : last + 1)
      step.number = last
      return step
    }
  }

  /// None.
  public init() { steps = [] }

  /// The number of the last step; 0 without steps.
  package var version: Int { steps.last?.number ?? 0 }

  /// The steps behind a number.
  package func steps(after version: Int) -> [MigrationStep] {
    steps.filter { ($0.number ?? 0) > version }
  }
}

/// Puts the steps of a type's migrations together.
@resultBuilder
public enum MagicMigrationsBuilder {
  /// One step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }

  /// Steps from elsewhere.
  public static func buildExpression(_ steps: [MigrationStep]) -> [MigrationStep] { steps }

  /// One after the other.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap { $0 }
  }

  /// Those of a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap { $0 }
  }

  /// Those of a condition that holds.
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] { steps ?? [] }

  /// Those of a branch.
  public static func buildEither(first steps: [MigrationStep]) -> [MigrationStep] { steps }

  /// Those of the other branch.
  public static func buildEither(second steps: [MigrationStep]) -> [MigrationStep] { steps }
}
