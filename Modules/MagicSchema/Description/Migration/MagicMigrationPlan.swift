/// What brings the tables of types to their shape, step by step, as it is before anything is done.
///
/// It says what would be refused as far as the rows of now can tell: what a closure or SQL of a step
/// will make of them is seen when it is done, and so are rows with one value under a new unique index.
public struct MagicMigrationPlan: Sendable {
  /// What a step does to the data that is there.
  public enum Kind: Int, Sendable, Comparable, CustomStringConvertible {
    /// No row is rewritten, and nothing goes.
    case additive
    /// Rows are rewritten, and nothing goes.
    case rewriting
    /// Values or links go.
    case destroying

    /// Whether the one does less to the data than the other.
    public static func < (first: Kind, second: Kind) -> Bool { first.rawValue < second.rawValue }

    /// The kind's name.
    public var description: String {
      switch self {
      case .additive: "additive"
      case .rewriting: "rewriting"
      case .destroying: "destroying"
      }
    }
  }

  /// One step.
  public struct Step: Sendable {
    /// The type whose table it is, without its module.
    public let type: String
    /// The property it is about; nil for several or none.
    public let property: String?
    /// What it does to the data that is there.
    public let kind: Kind
    /// What it does, in words.
    public let summary: String
    /// The statements, in order; none where Swift does the work.
    public let sql: [String]
    /// Why it does not run as things are; nil where it does.
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

  /// The steps, in order. All of them run in one transaction, or none.
  public let steps: [Step]

  package init(steps: [Step]) { self.steps = steps }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }

  /// The gravest kind of the steps; nil without any.
  public var kind: Kind? { steps.map(\.kind).max() }

  /// The steps that do not run as things are, for want of a declaration or because of the rows.
  public var refused: [Step] { steps.filter { $0.refusal != nil } }
}

extension MagicMigrationPlan.Step: CustomStringConvertible {
  /// Kind, summary and refusal on one line each, then the statements.
  public var description: String {
    var lines = ["\(kind): \(type): \(summary)"]
    if let refusal { lines.append("  refused: \(refusal)") }
    return (lines + sql.map { "  \($0);" }).joined(separator: "\n")
  }
}

extension MagicMigrationPlan: CustomStringConvertible {
  /// The steps one below the other, with numbers.
  public var description: String {
    guard !isEmpty else { return "nothing to do" }
    return zip(1..., steps).map { "\($0). \($1)" }.joined(separator: "\n")
  }
}
