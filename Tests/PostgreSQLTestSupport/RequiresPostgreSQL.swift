package import Testing

extension Trait where Self == ConditionTrait {
  /// Runs the tests only where PostgreSQL is installed. With `MAGIC_POSTGRES=1` they run in any case,
  /// and fail without PostgreSQL.
  package static var requiresPostgreSQL: ConditionTrait {
    .enabled(
      if: PostgreSQLServer.isTested, "PostgreSQL is not installed. Run: Tools/setup postgres")
  }
}
