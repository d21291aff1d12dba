/// How an engine would run a statement: which tables it reads whole, and where it uses an index.
package struct StatementPlan: Hashable, Sendable {
  /// The statement in the engine's dialect.
  package let sql: String
  /// The steps; those that are a part of another are in it.
  package let steps: [Step]
  /// Indexes that would avoid a full scan or a sort.
  package let suggestions: [Suggestion]

  package init(sql: String, steps: [Step], suggestions: [Suggestion]) {
    self.sql = sql
    self.steps = steps
    self.suggestions = suggestions
  }

  package enum Access: Hashable, Sendable {
    /// All of a table or index is read.
    case scan
    /// Rows are looked up.
    case search
  }

  package struct Step: Hashable, Sendable {
    /// The engine's own words.
    package let text: String
    /// The table, where the step reads one.
    package let table: String?
    package let access: Access?
    /// The index; nil for none, and for the table's own key.
    package let index: String?
    /// Whether an index is created for this one run, which reads the whole table.
    package let makesIndex: Bool
    /// Whether rows are collected in a temporary tree, as for a sort without an index.
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

    /// Whether it reads the whole table, without an index.
    package var isFullScan: Bool {
      table != nil && (makesIndex || (access == .scan && index == nil))
    }
  }

  /// An index that is missing: the type that would declare it, and its declaration in Swift.
  package struct Suggestion: Hashable, Sendable {
    package let type: String
    package let declaration: String

    package init(type: String, declaration: String) {
      self.type = type
      self.declaration = declaration
    }
  }

  /// All steps, those that are a part of another behind it.
  package var allSteps: [Step] {
    func all(_ steps: [Step]) -> [Step] { steps.flatMap { [$0] + all($0.steps) } }
    return all(steps)
  }

  /// The tables that are read whole without an index, each once.
  package var fullScans: [String] {
    allSteps.filter(\.isFullScan).compactMap(\.table).reduce(into: []) { tables, table in
      if !tables.contains(table) { tables.append(table) }
    }
  }
}
