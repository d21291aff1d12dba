/// The functions of the library that queries call. They compute as Swift does, and belong to the
/// schema of the catalogue. A database has those of one version.
package enum Functions {
  /// The version of the functions. A process creates them if those of the database are older.
  package static let version = 2

  /// The statements that create all functions.
  package static var create: [String] {
    numbers + dates + texts + jsonHelpers + json + vectors + search
  }

  /// A function that is written as one expression, which the planner can insert into a query.
  static func expression(_ signature: String, _ result: String, _ body: String) -> String {
    "CREATE OR REPLACE FUNCTION \(signature) RETURNS \(result) "
      + "LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $magic$ SELECT \(body) $magic$"
  }

  /// A function of statements. The result is NULL if an argument is, unless it accepts NULL. A function
  /// that handles errors is not safe in parallel processes.
  ///
  /// - Parameter cost: the estimated cost, in operators. Default: that of PostgreSQL.
  static func block(
    _ signature: String, _ result: String, isStrict: Bool = true, isParallelSafe: Bool = false,
    cost: Int = 100, _ body: String
  ) -> String {
    "CREATE OR REPLACE FUNCTION \(signature) RETURNS \(result) LANGUAGE plpgsql IMMUTABLE"
      + "\(isStrict ? " STRICT" : "")\(isParallelSafe ? " PARALLEL SAFE" : "") COST \(cost) "
      + "AS $magic$ \(body) $magic$"
  }
}
