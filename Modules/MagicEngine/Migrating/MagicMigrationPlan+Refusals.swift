package import MagicSchema

extension MagicMigrationPlan {
  /// - Throws: `MagicError` with `.needsMigration` if a step of the plan is refused.
  package func throwIfRefused() throws {
    guard let step = refused.first else { return }
    throw MagicError(
      .needsMigration,
      "The table of \(step.type) cannot be migrated: \(step.summary); \(step.refusal ?? ""). "
        + "Nothing was changed.",
      type: step.type, property: step.property, plan: self)
  }
}
