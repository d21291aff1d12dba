/// The steps that migrate the table of a type when the declaration of the type does not determine
/// what to do, for example how to convert values or whether to delete them.
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
/// The database records the number of the last step that has run. When the type is used next, the
/// later steps run in order, followed by all other changes that the table needs, in one
/// transaction. An update of a program can therefore skip any number of versions.
///
/// Add steps at the end, and never change a step. If the database has run a step that the type does
/// not declare, using the type throws ``MagicError/Code/newerSchema``. An empty step is therefore
/// useful: it prevents earlier versions of a program from changing the table back to their schema.
public struct Migrations: Sendable {
  /// The steps in order, each with its number.
  public let steps: [MigrationStep]

  /// Creates migrations from steps. The first step has the number 1, and each later one the number
  /// of the step before it plus one, unless the step gives its own number.
  public init(@MagicMigrationsBuilder _ steps: () -> [MigrationStep]) {
    var last = 0
    self.steps = steps().map { step in
      var step = step
      last = step.number ?? (last == .max ? last : last + 1)
      step.number = last
      return step
    }
  }

  /// Creates migrations without steps.
  public init() { steps = [] }

  /// The number of the last step; 0 if there are no steps.
  package var version: Int { steps.last?.number ?? 0 }

  /// Returns the steps with a greater number.
  package func steps(after version: Int) -> [MigrationStep] {
    steps.filter { ($0.number ?? 0) > version }
  }
}

/// Builds the list of steps of a type's migrations.
@resultBuilder
public enum MagicMigrationsBuilder {
  /// One step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }

  /// An array of steps.
  public static func buildExpression(_ steps: [MigrationStep]) -> [MigrationStep] { steps }

  /// The steps of all statements, in order.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap { $0 }
  }

  /// The steps of a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap { $0 }
  }

  /// The steps of an `if` without `else`.
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] { steps ?? [] }

  /// The steps of the first branch.
  public static func buildEither(first steps: [MigrationStep]) -> [MigrationStep] { steps }

  /// The steps of the second branch.
  public static func buildEither(second steps: [MigrationStep]) -> [MigrationStep] { steps }
}
