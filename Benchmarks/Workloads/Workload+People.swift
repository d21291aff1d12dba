extension Workload {
  private static let everyone = Work.fetchPeople(readingValues: true)

  static let people = [
    Workload(
      "W1", "insert all in one transaction", start: .new, target: 1.3
    ) { count in
      Steps(measured: .insertPeople(.make(count)), check: everyone, operations: count)
    },
    Workload(
      "W2", "durable saves one by one", durability: .full, start: .new, target: 1.15,
      isOfSingleOperations: true
    ) { count in
      Steps(
        measured: .savePeople(.make(count / 50), tasks: 1), check: everyone,
        operations: count / 50)
    },
    Workload(
      "W2c", "durable saves from 16 concurrent tasks", durability: .full, start: .new, target: 0.3
    ) { count in
      Steps(
        measured: .savePeople(.make(count / 50), tasks: 16), check: everyone,
        operations: count / 50)
    },
    Workload("W3", "fetch all, every value read", target: 1.25) { count in
      Steps(
        before: [.insertPeople(.make(count))], measured: .fetchPeople(readingValues: true),
        operations: count)
    },
    Workload("W3u", "fetch all, no value read", target: 0.95) { count in
      Steps(
        before: [.insertPeople(.make(count))], measured: .fetchPeople(readingValues: false),
        operations: count)
    },
    Workload(
      "W4", "awaited lookups by primary", target: 1.6, isOfSingleOperations: true
    ) { count in
      let people = [PlainPerson].make(count)
      return Steps(
        before: [.insertPeople(people)],
        measured: .lookUpPeople(Sample.ids(count / 2, of: people)), operations: count / 2)
    },
    Workload(
      "W4m", "the same, of rows that the process has not in memory",
      start: .sharedWithNewObjects, target: 1.6, isOfSingleOperations: true
    ) { count in
      let people = [PlainPerson].make(count)
      return Steps(
        before: [.insertPeople(people)],
        measured: .lookUpUnreadPeople(people.prefix(count / 2).map(\.id)), operations: count / 2)
    },
    Workload(
      "W5", "awaited filters by an indexed property, one in ninety", target: 1.15,
      isOfSingleOperations: true
    ) { count in
      Steps(
        before: [.insertResidents(.make(count))],
        measured: .filterResidents(ages: (0..<200).map { $0 % 90 }), operations: 200)
    },
    Workload(
      "W6", "save fetched objects with one changed value, in one transaction", target: 1.3
    ) { count in
      let people = [PlainPerson].make(count)
      return Steps(
        before: [.insertPeople(people)], measured: .changePeople(Array(people.prefix(count / 2))),
        check: everyone, operations: count / 2)
    },
    Workload(
      "W6n", "save new objects whose primaries exist, in one transaction",
      start: .sharedWithNewObjects
    ) { count in
      let people = [PlainPerson].make(count)
      return Steps(
        before: [.insertPeople(people)],
        measured: .replacePeople(people.prefix(count / 2).map(\.older)), check: everyone,
        operations: count / 2)
    },
    Workload("W8", "select two values of all", target: 1.1) { count in
      Steps(before: [.insertPeople(.make(count))], measured: .selectPeople, operations: count)
    },
    Workload("W9", "increase a number of all in the database", target: 1.2) { count in
      Steps(
        before: [.insertPeople(.make(count))], measured: .incrementPeople, check: everyone,
        operations: count)
    },
    Workload("W10", "stream all, every value read", target: 1.2) { count in
      Steps(before: [.insertPeople(.make(count))], measured: .streamPeople, operations: count)
    },
  ]

  static let observed = [
    observedSaves("V1", "saves one by one, without an observer", .none, target: 1.3),
    observedSaves("V2", "the same, while another task reads the changes", .changes),
    observedSaves(
      "V3", "the same, while another task reads a live query of 20 people", .lastPeople),
  ]

  private static func observedSaves(
    _ name: String, _ title: String, _ observer: Observer, target: Double? = nil
  ) -> Workload {
    Workload(name, title, start: .new, target: target, isOfSingleOperations: true) { count in
      Steps(
        measured: .saveObservedPeople(.make(count / 10), by: observer), check: everyone,
        operations: count / 10)
    }
  }

  static let readers = [1, 2, 4, 16].map { tasks in
    Workload(
      "R\(tasks)", "awaited lookups during writes, \(tasks) task\(tasks == 1 ? "" : "s")"
    ) { count in
      let people = [PlainPerson].make(count)
      return Steps(
        before: [.insertPeople(people)],
        measured: .lookUpPeopleBesideWriter(
          Sample.ids(count / 5, of: people), tasks: tasks,
          saving: PlainPerson.make(20_000, seed: 43)),
        operations: count / 5)
    }
  }
}

extension [PlainPerson] {
  static func make(_ count: Int) -> [PlainPerson] { PlainPerson.make(count) }
}

extension PlainPerson {
  /// The same person with a higher age.
  fileprivate var older: PlainPerson {
    var person = self
    person.age += 1
    return person
  }
}
