extension Workload {
  static let exchange = [
    Workload("X1", "export people as lines of JSON", start: .new) { count in
      Steps(
        measured: .exportPeople(PlainPerson.make(count)), check: .sumUpExport, operations: count)
    },
    Workload(
      "X2", "import people from lines of JSON in one transaction", start: .new
    ) { count in
      Steps(
        measured: .importPeople(PlainPerson.make(count)),
        check: .fetchPeople(readingValues: true), operations: count)
    },
    Workload("X2f", "create a database from an exported folder", start: .new) { count in
      Steps(
        measured: .importFolder(PlainPerson.make(count)), check: .sumUpImportedFolder,
        operations: count)
    },
  ]
}
