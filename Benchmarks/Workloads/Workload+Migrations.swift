extension Workload {
  static let migrations = [
    Workload(
      "M1", "rebuild a table: one column becomes optional, another real", start: .reopened
    ) { count in
      Steps(
        before: [.insertPeople(PlainPerson.make(count))], measured: .rebuildPeople,
        check: .sumUpRebuiltPeople, operations: count)
    }
  ]
}
