import MagicData
import MagicInspection

extension MagicMigrationPlan {
  /// Writes the steps.
  func write(_ format: JSONOption, showsSQL: Bool) {
    guard !format.json else {
      let steps = steps.map { step in
        JSONNode.members([
          "type": .string(step.type), "property": .string(orNull: step.property),
          "kind": .string(step.kind.description), "summary": .string(step.summary),
          "sql": .array(step.sql.map(JSONNode.string)), "refusal": .string(orNull: step.refusal),
        ])
      }
      return format.write(.members(["steps": .array(steps)]))
    }
    let output = Output.current
    guard !isEmpty else { return output.line("The tables have the schema of the types.") }
    for step in steps {
      let type = InspectedText.line(step.type)
      output.line("\(step.kind): \(type): " + InspectedText.line(step.summary, limit: 10_000))
      if let refusal = step.refusal {
        output.line(output.bold("  refused: ") + InspectedText.line(refusal, limit: 10_000))
      }
      for statement in showsSQL ? step.sql : [] { output.line("  " + output.faint(statement)) }
    }
  }
}
