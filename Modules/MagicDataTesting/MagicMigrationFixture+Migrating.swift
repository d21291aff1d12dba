import MagicData
public import MagicSchema
import MagicStore

extension MagicMigrationFixture {
  /// Migrates the tables of types, and of all types that they refer to, and verifies the database.
  ///
  /// The call opens the database and closes it again. To check the migrated rows, open the fixture.
  ///
  /// - Returns: the plan that was run. The plan is empty if the tables already had the schema of
  ///   the types, or did not exist.
  /// - Throws: `MagicError`: the errors of `migrate`, and `.corrupt` if `verify` finds faults. The
  ///   message of the error contains the findings.
  @discardableResult
  public func migrate(_ types: any MagicObject.Type...) async throws -> MagicMigrationPlan {
    let magic = try await open()
    do {
      let plan = try await magic.migrate(types)
      let report = try await magic.verify()
      guard report.isSound else {
        throw MagicError(.corrupt, "The migrated database has faults: \(report)")
      }
      await magic.close()
      return plan
    } catch {
      await magic.close()
      throw error
    }
  }
}
