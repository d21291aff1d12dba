import MagicData
public import MagicSchema
import MagicStore

extension MagicMigrationFixture {
  /// Brings the tables of types, and of all they refer to, to their shape, and checks the database.
  ///
  /// It is closed again. What its rows are then is for the test to say, which opens it.
  ///
  /// - Returns: what was done; empty where the tables had the types' shape, or were not there.
  /// - Throws: `MagicError`: what `migrate` throws, and `.corrupt` with the findings of `verify` in its
  ///   message where there are faults.
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
