/// How SQLite goes about a statement: which tables it reads whole, and where it uses an index.
///
/// ```swift
/// let plan = try await magic.sql("SELECT name FROM Person WHERE age = \(36)").explain()
/// print(plan)
/// ```
public struct MagicPlan: Hashable, Sendable {
  /// The statement, with `?` for its values.
  public let sql: String
  /// The steps; those that are a part of another lie in it.
  public let steps: [Step]
  /// Indexes that would spare a full scan or a sort, as far as the statement shows it.
  public let suggestions: [Suggestion]

  /// One step of a plan.
  public struct Step: Hashable, Sendable {
    /// How a step finds rows.
    public enum Access: Hashable, Sendable {
      /// By reading all of a table or index.
      case scan
      /// By looking some up.
      case search
    }

    /// SQLite's own words.
    public let text: String
    /// The table, where the step reads one.
    public let table: String?
    /// How it finds rows, where it reads any.
    public let access: Access?
    /// The index it uses; nil for none, and for the table's own key.
    public let index: String?
    /// Whether it makes an index for this one run, which reads the whole table.
    public let makesIndex: Bool
    /// Whether it collects rows in a temporary b-tree, as for a sort without an index.
    public let usesTemporaryTree: Bool
    /// The steps that are a part of it.
    public let steps: [Step]

    /// Whether it reads the whole table, without an index.
    public var isFullScan: Bool {
      table != nil && (makesIndex || (access == .scan && index == nil))
    }
  }

  /// An index that is missing.
  public struct Suggestion: Hashable, Sendable, CustomStringConvertible {
    /// The type that would declare it.
    public let type: String
    /// Its declaration in Swift.
    public let declaration: String

    /// Type and declaration.
    public var description: String { "\(type): \(declaration)" }
  }

  /// All steps, those that are a part of another behind it.
  public var allSteps: [Step] {
    func all(_ steps: [Step]) -> [Step] { steps.flatMap { [$0] + all($0.steps) } }
    return all(steps)
  }

  /// The tables that are read whole without an index, each once.
  public var fullScans: [String] {
    allSteps.filter(\.isFullScan).compactMap(\.table).reduce(into: []) { tables, table in
      if !tables.contains(table) { tables.append(table) }
    }
  }
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
