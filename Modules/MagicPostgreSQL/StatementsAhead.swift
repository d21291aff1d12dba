/// Statements that one thread sends, and whose results another thread reads: those that were sent by
/// themselves, and groups of the same statement with several values, each of which runs as one statement.
struct StatementsAhead {
  /// A statement with several values of its parameter.
  final class Group {
    let statement: PostgreSQLStatement
    let together: PostgreSQLStatement
    let values = PostgreSQLFields()

    init(_ statement: PostgreSQLStatement, _ together: PostgreSQLStatement) {
      self.statement = statement
      self.together = together
    }
  }

  /// Where the result of a call is.
  private enum Place {
    case own(Int)
    case group(Int, value: Int)
  }

  /// The statements that were sent by themselves.
  private(set) var own: [PostgreSQLStatement] = []
  private(set) var groups: [Group] = []
  /// The statements that would have run as one, if the connection had prepared it.
  private(set) var unprepared: [PostgreSQLStatement] = []
  /// Whether the connection is in pipeline mode for these statements.
  var isPipelining = false
  private var places: [Place] = []

  var isEmpty: Bool { places.isEmpty }

  mutating func addSent(_ statement: PostgreSQLStatement) {
    if let together = statement.together, own.contains(where: { $0 === statement }),
      !unprepared.contains(where: { $0 === together })
    {
      unprepared.append(together)
    }
    places.append(.own(own.count))
    own.append(statement)
  }

  mutating func add(
    _ statement: PostgreSQLStatement, _ together: PostgreSQLStatement,
    _ parameters: PostgreSQLFields
  ) {
    let index = groups.firstIndex { $0.statement === statement } ?? groups.count
    if index == groups.count { groups.append(Group(statement, together)) }
    places.append(.group(index, value: groups[index].values.count))
    groups[index].values.append(valuesOf: parameters)
  }

  /// The statements in the order in which they were sent.
  var sent: [PostgreSQLStatement] {
    own + groups.map { $0.hasOneValue ? $0.statement : $0.together }
  }

  /// Returns the results of the calls in their order.
  ///
  /// - Parameter results: those of ``sent``.
  func results(_ results: [PostgreSQLResult]) -> [PostgreSQLResult] {
    let rows = groups.enumerated().map { index, group in
      group.hasOneValue ? [] : Self.rows(results[own.count + index], group.values.count)
    }
    return places.map { place in
      switch place {
      case .own(let index): return results[index]
      case .group(let index, let value):
        let result = results[own.count + index]
        return groups[index].hasOneValue ? result : PostgreSQLResult(rows[index][value], of: result)
      }
    }
  }

  /// Returns the rows of each value. Those of a value follow each other.
  private static func rows(_ result: PostgreSQLResult, _ count: Int) -> [Range<Int>] {
    var rows = [Range<Int>](repeating: 0..<0, count: count)
    let last = result.columnCount - 1
    for row in 0..<result.count {
      let value = Int(truncatingIfNeeded: result.integer(row, last)) &- 1
      guard rows.indices.contains(value) else { continue }
      rows[value] = (rows[value].isEmpty ? row : rows[value].lowerBound)..<row + 1
    }
    return rows
  }
}

extension StatementsAhead.Group {
  var hasOneValue: Bool { values.count == 1 }
}
