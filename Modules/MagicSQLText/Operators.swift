package import MagicRequests

extension ComparisonOperator {
  /// The operator in SQL.
  package var sign: String {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension SetOperation {
  /// The operator in SQL.
  package var sql: String {
    switch self {
    case .union: "UNION"
    case .intersect: "INTERSECT"
    case .except: "EXCEPT"
    }
  }
}
