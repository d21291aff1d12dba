import MagicEngine

/// How the engine goes about a statement: which tables it reads whole, and where it uses an index.
///
/// ```swift
/// let plan = try await magic.sql("SELECT name FROM Person WHERE age = \(36)").explain()
/// print(plan)
/// ```
public struct MagicPlan: Hashable, Sendable {
  private let plan: StatementPlan

  init(_ plan: StatementPlan) { self.plan = plan }

  /// The statement, with `?` for its values.
  public var sql: String { plan.sql }
  /// The steps; those that are a part of another lie in it.
  public var steps: [Step] { plan.steps.map(Step.init) }
  /// Indexes that would spare a full scan or a sort, as far as the statement shows it.
  public var suggestions: [Suggestion] { plan.suggestions.map(Suggestion.init) }

  /// One step of a plan.
  public struct Step: Hashable, Sendable {
    /// How a step finds rows.
    public enum Access: Hashable, Sendable {
      /// By reading all of a table or index.
      case scan
      /// By looking some up.
      case search
    }

    fileprivate let step: StatementPlan.Step

    fileprivate init(_ step: StatementPlan.Step) { self.step = step }

    /// The engine's own words.
    public var text: String { step.text }
    /// The table, where the step reads one.
    public var table: String? { step.table }
    /// How it finds rows, where it reads any.
    public var access: Access? {
      switch step.access {
      case .scan: .scan
      case .search: .search
      case nil: nil
      }
    }
    /// The index it uses; nil for none, and for the table's own key.
    public var index: String? { step.index }
    /// Whether it makes an index for this one run, which reads the whole table.
    public var makesIndex: Bool { step.makesIndex }
    /// Whether it collects rows in a temporary b-tree, as for a sort without an index.
    public var usesTemporaryTree: Bool { step.usesTemporaryTree }
    /// The steps that are a part of it.
    public var steps: [Step] { step.steps.map(Step.init) }

    /// Whether it reads the whole table, without an index.
    public var isFullScan: Bool { step.isFullScan }
  }

  /// An index that is missing.
  public struct Suggestion: Hashable, Sendable, CustomStringConvertible {
    fileprivate let suggestion: StatementPlan.Suggestion

    fileprivate init(_ suggestion: StatementPlan.Suggestion) { self.suggestion = suggestion }

    /// The type that would declare it.
    public var type: String { suggestion.type }
    /// Its declaration in Swift.
    public var declaration: String { suggestion.declaration }

    /// Type and declaration.
    public var description: String { "\(type): \(declaration)" }
  }

  /// All steps, those that are a part of another behind it.
  public var allSteps: [Step] { plan.allSteps.map(Step.init) }

  /// The tables that are read whole without an index, each once.
  public var fullScans: [String] { plan.fullScans }
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
