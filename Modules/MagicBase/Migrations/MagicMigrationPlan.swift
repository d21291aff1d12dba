/// The steps that would migrate the tables of types to their current schema, computed without
/// running anything.
///
/// ```swift
/// let plan = try await magic.migrationPlan(for: Friend.self)
/// print(plan)  // each step with its SQL: additive, rewriting or destroying, and why it is refused
/// ```
///
/// The plan shows which steps the current rows prevent; see ``refused``. Two kinds of failure are
/// detected only when the migration runs: errors in rows that a closure or the SQL of a step has
/// written, and duplicate values in the columns of a new unique index.
public struct MagicMigrationPlan: Sendable {
  /// The effect of a step on existing data.
  public enum Kind: Int, Sendable, Comparable, CustomStringConvertible {
    /// No row is rewritten, and no data is deleted.
    case additive
    /// Rows are rewritten, and no data is deleted.
    case rewriting
    /// Values or join rows are deleted, or texts become numbers that may have fewer digits.
    case destroying

    /// Returns whether the first kind has less effect on existing data than the second.
    public static func < (first: Kind, second: Kind) -> Bool { first.rawValue < second.rawValue }

    /// The name of the kind.
    public var description: String {
      switch self {
      case .additive: "additive"
      case .rewriting: "rewriting"
      case .destroying: "destroying"
      }
    }
  }

  /// One step of a plan.
  public struct Step: Sendable {
    /// The type that the table belongs to, without its module.
    public let type: String
    /// The property that the step changes; nil for several properties or none.
    public let property: String?
    /// The effect on existing data.
    public let kind: Kind
    /// A description of the step for people.
    public let summary: String
    /// The SQL statements in order; empty if the step runs in Swift.
    public let sql: [String]
    /// The reason why the step cannot run; nil if it can.
    public let refusal: String?

    package init(
      type: String, property: String? = nil, kind: Kind, summary: String, sql: [String] = [],
      refusal: String? = nil
    ) {
      self.type = type
      self.property = property
      self.kind = kind
      self.summary = summary
      self.sql = sql
      self.refusal = refusal
    }
  }

  /// The steps in order. They run in one transaction: all of them or none.
  public let steps: [Step]

  package init(steps: [Step]) { self.steps = steps }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }

  /// The kind of the step with the greatest effect; nil if there are no steps.
  public var kind: Kind? { steps.map(\.kind).max() }

  /// The steps that cannot run, because a declaration is missing or because of the existing rows.
  public var refused: [Step] { steps.filter { $0.refusal != nil } }
}

extension MagicMigrationPlan.Step: CustomStringConvertible {
  /// The kind, the type and the summary on one line, then the refusal, then the statements.
  public var description: String {
    var lines = ["\(kind): \(type): \(summary)"]
    if let refusal { lines.append("  refused: \(refusal)") }
    return (lines + sql.map { "  \($0);" }).joined(separator: "\n")
  }
}

extension MagicMigrationPlan: CustomStringConvertible {
  /// The steps, one below the other, with numbers.
  public var description: String {
    guard !isEmpty else { return "nothing to do" }
    return zip(1..., steps).map { "\($0). \($1)" }.joined(separator: "\n")
  }
}
