/// The plan by which an engine would run a statement: its table scans and its use of indexes.
package struct StatementPlan: Hashable, Sendable {
  /// The statement in the engine's dialect.
  package let sql: String
  /// The top-level steps. Each step contains its substeps.
  package let steps: [Step]
  /// Missing indexes that would avoid a full scan or a sort.
  package let suggestions: [Suggestion]

  package init(sql: String, steps: [Step], suggestions: [Suggestion]) {
    self.sql = sql
    self.steps = steps
    self.suggestions = suggestions
  }

  package enum Access: Hashable, Sendable {
    /// A whole table or index is read.
    case scan
    /// Rows are looked up.
    case search
  }

  package struct Step: Hashable, Sendable {
    /// The description of the step by the engine.
    package let text: String
    /// The table that the step reads, or nil.
    package let table: String?
    package let access: Access?
    /// The index that the step uses. Nil if it uses none, or the primary key of the table.
    package let index: String?
    /// Whether the engine creates an index for this run only, which reads the whole table.
    package let makesIndex: Bool
    /// Whether rows are collected in a temporary tree, for example to sort without an index.
    package let usesTemporaryTree: Bool
    package let steps: [Step]

    package init(
      text: String, table: String?, access: Access?, index: String?, makesIndex: Bool,
      usesTemporaryTree: Bool, steps: [Step]
    ) {
      self.text = text
      self.table = table
      self.access = access
      self.index = index
      self.makesIndex = makesIndex
      self.usesTemporaryTree = usesTemporaryTree
      self.steps = steps
    }

    /// Whether the step reads the whole table without an index.
    package var isFullScan: Bool {
      table != nil && (makesIndex || (access == .scan && index == nil))
    }
  }

  /// A missing index: the type that should declare it, and its declaration in Swift.
  package struct Suggestion: Hashable, Sendable {
    package let type: String
    package let declaration: String

    package init(type: String, declaration: String) {
      self.type = type
      self.declaration = declaration
    }
  }

  /// All steps, each followed by its substeps.
  package var allSteps: [Step] {
    func all(_ steps: [Step]) -> [Step] { steps.flatMap { [$0] + all($0.steps) } }
    return all(steps)
  }

  /// The tables that are read completely without an index. Each table appears once.
  package var fullScans: [String] { fullScans(after: 0) }

  /// Returns the tables that are read completely without an index, without a number of first scans,
  /// which may be scans of an index.
  package func fullScans(after count: Int) -> [String] {
    allSteps.filter { $0.access == .scan || $0.makesIndex }.dropFirst(count)
      .filter(\.isFullScan).compactMap(\.table)
      .reduce(into: []) { tables, table in
        if !tables.contains(table) { tables.append(table) }
      }
  }
}
