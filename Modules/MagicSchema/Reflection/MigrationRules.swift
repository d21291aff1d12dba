/// The rules that the migrations of a type must satisfy.
enum MigrationRules {
  static func check(
    _ migrations: Migrations, refuse: (String) -> MagicError
  ) throws {
    var last = 0
    for step in migrations.steps {
      let number = step.number ?? 0
      guard number > last else {
        throw refuse(
          "Migration step \(number) follows step \(last). Number the steps in ascending order, "
            + "from 1.")
      }
      last = number
      try check(step, number) { refuse("Migration step \(number): \($0)") }
    }
  }

  private static func check(
    _ step: MigrationStep, _ number: Int, refuse: (String) -> MagicError
  ) throws {
    // A step may use each name once, so that its changes cannot contradict each other.
    var usedNames: Set<String> = []
    for change in step.changes {
      for name in change.names {
        try NameRules.check(name, of: "column", refuse: refuse)
        guard name.lowercased() != "z_index" else {
          throw refuse("The column z_index is reserved for the row ID. Remove the change.")
        }
        guard usedNames.insert(name.lowercased()).inserted else {
          throw refuse(
            "Two changes of the step use the name \(name). Move one of them to another step.")
        }
      }
    }
  }
}

extension MagicMigrationChange {
  /// The names of the properties that the change concerns.
  fileprivate var names: [String] {
    switch kind {
    case .add(let name), .delete(let name), .convert(let name): [name]
    case .rename(let name, let newName): [name, newName]
    case .transform, .sql, .adopt, .adoptJoinTable: []
    }
  }
}
