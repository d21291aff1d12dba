import MagicEngine
import MagicRuntime
import SQLiteTables

extension QueryRenderer {
  /// Renders a function of values. The names that begin with `magic_` are functions of
  /// `SQLiteConnection`, which compute as Swift does.
  static func function(_ function: ScalarFunction, _ operands: [SQLTerm]) -> SQLTerm {
    let values = operands.map(\.value)
    let mayBeNull = values.contains(where: \.mayBeNull)
    func call(_ name: String, mayBeNull: Bool = mayBeNull) -> SQLTerm {
      SQLTerm("\(name)(\(values.map(\.text).joined(separator: ", ")))", mayBeNull: mayBeNull)
    }
    switch function {
    case .coalesced: return call("ifnull", mayBeNull: values.last?.mayBeNull ?? true)
    case .conditional: return conditional(operands)
    case .absolute: return call("abs")
    case .rounded: return call("magic_round")
    case .real: return SQLTerm("CAST(\(values[0].text) AS REAL)", mayBeNull: mayBeNull)
    case .integer: return call("magic_int")
    case .concatenated: return joined(values, "||", mayBeNull: mayBeNull)
    case .characterCount: return call("magic_count")
    case .trimmed: return call("magic_trim")
    case .replaced: return call("replace")
    case .prefix: return call("magic_prefix")
    case .collated(let collation):
      return SQLTerm(
        "\(values[0].operand) COLLATE \(collation.sql)", mayBeNull: mayBeNull,
        isCollated: true)
    case .dateComponent(let unit): return date("magic_date_part", unit.rawValue, values)
    case .dateStart(let unit): return date("magic_date_start", unit.rawValue, values)
    case .dateAdding(let unit): return date("magic_date_add", unit.rawValue, values, leading: 2)
    case .dateDifference: return joined(values, "-", mayBeNull: true)
    case .jsonCount: return call("magic_json_count", mayBeNull: true)
    case .jsonContains: return call("magic_json_contains")
    case .jsonMember(let kind):
      let (json, key) = (values[0].text, values[1].text)
      return SQLTerm("magic_json_get(\(json), \(key), \(kind.rawValue))", mayBeNull: true)
    case .distance(let metric):
      let (vector, other) = (values[0].text, values[1].text)
      return SQLTerm(
        "magic_distance(\(vector), \(other), \(metric.rawValue))", mayBeNull: false)
    // `matches(_:_:)` renders it with the table of the type.
    case .matches: return SQLTerm("NULL", mayBeNull: true)
    }
  }

  private static func conditional(_ operands: [SQLTerm]) -> SQLTerm {
    let (then, other) = (operands[1].value, operands[2].value)
    return SQLTerm(
      "CASE WHEN \(operands[0].text) THEN \(then.text) ELSE \(other.text) END",
      mayBeNull: then.mayBeNull || other.mayBeNull)
  }

  private static func joined(_ values: [SQLTerm], _ sign: String, mayBeNull: Bool) -> SQLTerm {
    SQLTerm(
      values.map(\.operand).joined(separator: " \(sign) "), .arithmetic, mayBeNull: mayBeNull)
  }

  /// Renders a function of a date. The unit follows the leading operands, and the time zone the
  /// unit. A date that is out of range results in NULL.
  private static func date(
    _ name: String, _ unit: Int, _ values: [SQLTerm], leading: Int = 1
  ) -> SQLTerm {
    var texts = values.map(\.text)
    texts.insert("\(unit)", at: leading)
    return SQLTerm("\(name)(\(texts.joined(separator: ", ")))", mayBeNull: true)
  }
}
