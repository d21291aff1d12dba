/// What a type's migrations must fulfil.
enum MigrationRules {
  static func check(
    _ migrations: Migrations, refuse: (String) -> MagicError
  ) throws {
    var last = 0
    for step in migrations.steps {
      let number = step.number ?? 0
      guard number > last else {
        throw refuse("Migration step \(number) stands behind step \(last): numbers go up from 1.")
      }
      last = number
      try check(step, number) { refuse("Migration step \(number): \($0)") }
    }
  }

  private static func check(
    _ step: MigrationStep, _ number: Int, refuse: (String) -> MagicError
  ) throws {
    // Of one name a step says one thing, so that no two can contradict each other.
    var met: Set<String> = []
    for change in step.changes {
      for name in change.names {
        try NameRules.check(name, of: "column", refuse: refuse)
        guard name.lowercased() != "z_index" else {
          throw refuse("the z-index is kept by the library.")
        }
        guard met.insert(name.lowercased()).inserted else {
          throw refuse("\(name) is named by two of its changes.")
        }
      }
    }
  }
}

extension MagicMigrationChange {
  /// The properties that the change is about, by name.
  fileprivate var names: [String] {
    switch kind {
    case .add(let name), .delete(let name), .convert(let name): [name]
    case .rename(let name, let newName): [name, newName]
    case .transform, .sql: []
    }
  }
}
