extension Workload {
  static let migrations = [
    Workload(
      "M1", "make a table anew: a column becomes optional, another real", start: .reopened
    ) { count in
      Steps(
        before: [.insertPeople(PlainPerson.make(count))], measured: .rebuildPeople,
        check: .sumUpRebuiltPeople, operations: count)
    }
  ]
}
