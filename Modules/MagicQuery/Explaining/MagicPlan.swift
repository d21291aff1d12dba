import MagicEngine

/// The query plan of a statement. It shows which tables the database scans fully, and where it uses
/// an index.
///
/// ```swift
/// let plan = try await magic.sql("SELECT name FROM Person WHERE age = \(36)").explain()
/// print(plan)
/// ```
public struct MagicPlan: Hashable, Sendable {
  private let plan: StatementPlan

  package init(_ plan: StatementPlan) { self.plan = plan }

  /// The SQL of the statement, with `?` for its values.
  public var sql: String { plan.sql }
  /// The top-level steps, which contain their nested steps.
  public var steps: [Step] { plan.steps.map(Step.init) }
  /// Indexes that could avoid a full scan or a sort. They are derived from the statement alone, not
  /// from the data.
  public var suggestions: [Suggestion] { plan.suggestions.map(Suggestion.init) }

  /// A step of a plan.
  public struct Step: Hashable, Sendable {
    /// How a step finds its rows.
    public enum Access: Hashable, Sendable {
      /// The step reads all of a table or index.
      case scan
      /// The step looks up some rows by a key.
      case search
    }

    fileprivate let step: StatementPlan.Step

    fileprivate init(_ step: StatementPlan.Step) { self.step = step }

    /// The description of the step, as the database returns it.
    public var text: String { step.text }
    /// The table that the step reads; nil if it reads none.
    public var table: String? { step.table }
    /// How the step finds its rows; nil if it reads no table.
    public var access: Access? {
      switch step.access {
      case .scan: .scan
      case .search: .search
      case nil: nil
      }
    }
    /// The index that the step uses; nil if it uses none, or the primary key of the table itself.
    public var index: String? { step.index }
    /// Whether the step creates a temporary index for this one execution. To create it, the whole
    /// table is read.
    public var makesIndex: Bool { step.makesIndex }
    /// Whether the step collects rows in a temporary B-tree, as for a sort without an index.
    public var usesTemporaryTree: Bool { step.usesTemporaryTree }
    /// The steps nested in this one.
    public var steps: [Step] { step.steps.map(Step.init) }

    /// Whether the step reads the whole table without an index.
    public var isFullScan: Bool { step.isFullScan }
  }

  /// A missing index.
  public struct Suggestion: Hashable, Sendable, CustomStringConvertible {
    fileprivate let suggestion: StatementPlan.Suggestion

    fileprivate init(_ suggestion: StatementPlan.Suggestion) { self.suggestion = suggestion }

    /// The type that should declare the index.
    public var type: String { suggestion.type }
    /// The declaration of the index in Swift.
    public var declaration: String { suggestion.declaration }

    /// The type and the declaration.
    public var description: String { "\(type): \(declaration)" }
  }

  /// All steps. Nested steps follow the step that contains them.
  public var allSteps: [Step] { plan.allSteps.map(Step.init) }

  /// The tables that are scanned fully without an index, without duplicates.
  public var fullScans: [String] { plan.fullScans }

  /// Whether no table is scanned fully without an index.
  public var isIndexed: Bool { plan.fullScans.isEmpty }
}

extension MagicPlan: CustomStringConvertible {
  /// The statement, the tree of its steps and the suggestions.
  public var description: String {
    func draw(_ steps: [Step], _ margin: String) -> [String] {
      zip(steps, 1...).flatMap { step, number in
        let isLast = number == steps.count
        return [
          "\(margin)\(isLast ? "╰" : "├")─ \(step.text)\(step.isFullScan ? "  ← full scan" : "")"
        ]
          + draw(step.steps, margin + (isLast ? "   " : "│  "))
      }
    }
    return ([sql] + draw(steps, "") + suggestions.map { "Missing index? \($0)" })
      .joined(separator: "\n")
  }
}
