import Foundation
package import MagicEngine
import MagicSQLite
package import MagicSchema
package import SQLiteEngine

extension StoreConnection {
  /// Returns the query plan of a statement. Its parameters need no values.
  ///
  /// - Parameters:
  ///   - types: the types that the statement names, as far as they are known.
  ///   - limitedRowsDepth: the place of the condition of a query whose limit applies before its groups.
  package func plan(
    of sql: String, types: [ObjectSchema] = [], limitedRowsDepth: Int? = nil
  ) throws -> StatementPlan {
    try translatingSQLErrors {
      let tables = try tableNames()
      let statement = try explanation(ofUser: "EXPLAIN QUERY PLAN \(sql)")
      let clauses = StatementClauses(of: sql, limitedRowsDepth: limitedRowsDepth)
      var rows: [PlanRow] = []
      while try statement.step() {
        rows.append(
          PlanRow(
            number: statement.column(0).integer, parent: statement.column(1).integer,
            text: statement.column(3).text))
      }
      let steps = StatementPlan.steps(of: rows, under: 0) { name in
        tables[clauses.table(named: name).lowercased()]
      }
      let plan = StatementPlan(sql: sql, steps: steps, suggestions: [])
      let advisor = IndexAdvisor(clauses: clauses) { table in
        types.first { $0.tableName.lowercased() == table.lowercased() }
          ?? self.type(ofTable: table)
      }
      return StatementPlan(sql: sql, steps: steps, suggestions: advisor.suggestions(for: plan))
    }
  }

  /// Returns the names of the tables in the file, by their names in lower case.
  private func tableNames() throws -> [String: String] {
    let statement = try connection.cachedStatement(
      "SELECT name FROM sqlite_master WHERE type = 'table'")
    defer { statement.reset() }
    var names: [String: String] = [:]
    while try statement.step() {
      let name = statement.column(0).text
      names[name.lowercased()] = name
    }
    return names
  }
}

/// A row of the result of EXPLAIN QUERY PLAN.
private struct PlanRow {
  let number: Int64
  let parent: Int64
  let text: String
}

extension StatementPlan {
  fileprivate static func steps(
    of rows: [PlanRow], under parent: Int64, table: (String) -> String?
  ) -> [Step] {
    rows.filter { $0.parent == parent }.map {
      Step(text: $0.text, table: table, steps: steps(of: rows, under: $0.number, table: table))
    }
  }
}

extension StatementPlan.Step {
  /// Creates a step from its description by SQLite, such as `SEARCH p USING INDEX Person(name)
  /// (name=?)`.
  ///
  /// - Parameter table: returns the table with a name or alias; nil if there is none.
  init(text: String, table: (String) -> String?, steps: [StatementPlan.Step]) {
    let makesIndex = text.contains(" USING AUTOMATIC ")
    var found: (table: String?, access: StatementPlan.Access?, index: String?)
    if let (access, rest) = Self.access(text) {
      let name = Self.prefix(of: rest, before: [" USING ", " VIRTUAL TABLE ", " LEFT-JOIN"])
      // A name that is not a table of the file is part of the statement, such as a subquery.
      found.table = table(name) ?? Self.aliased(name, table)
      // A full-text table is searched with the text.
      found.access = rest.contains(" VIRTUAL TABLE INDEX 0:M") ? .search : access
      found.index = makesIndex ? nil : Self.index(in: rest, hasTerms: access == .search)
    }
    self.init(
      text: text, table: found.table, access: found.access, index: found.index,
      makesIndex: makesIndex, usesTemporaryTree: text.contains("TEMP B-TREE"), steps: steps)
  }

  private static func access(_ text: String) -> (StatementPlan.Access, String)? {
    let kinds: [(String, StatementPlan.Access)] = [
      // SQLite before 3.36 writes TABLE.
      ("SCAN TABLE ", .scan), ("SEARCH TABLE ", .search), ("SCAN ", .scan), ("SEARCH ", .search),
    ]
    guard let (word, access) = kinds.first(where: { text.hasPrefix($0.0) }) else { return nil }
    return (access, String(text.dropFirst(word.count)))
  }

  /// Returns the table before an alias. SQLite before 3.36 writes both, later versions only the
  /// alias.
  private static func aliased(
    _ name: String, _ table: (String) -> String?
  ) -> String? {
    guard let alias = name.range(of: " AS ", options: .backwards) else { return nil }
    return table(String(name[..<alias.lowerBound]))
  }

  private static func index(in text: String, hasTerms: Bool) -> String? {
    for phrase in [" USING INDEX ", " USING COVERING INDEX "] {
      guard let found = text.range(of: phrase) else { continue }
      let name = text[found.upperBound...]
      guard hasTerms, let terms = name.range(of: " (", options: .backwards) else {
        return String(name)
      }
      return String(name[..<terms.lowerBound])
    }
    return nil
  }

  private static func prefix(of text: String, before phrases: [String]) -> String {
    let ends = phrases.compactMap { text.range(of: $0)?.lowerBound }
    return String(text[..<(ends.min() ?? text.endIndex)])
  }
}
