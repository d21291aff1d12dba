extension Workload {
  static let types = [
    Workload("T1s", "insert rows with enumerations, decimals and dates", start: .new) { count in
      Steps(
        measured: .insertParcels(PlainParcel.make(count)), check: .fetchParcels,
        operations: count)
    },
    Workload("T1", "fetch all of them, every value read", target: 1.5) { count in
      Steps(
        before: [.insertParcels(PlainParcel.make(count))], measured: .fetchParcels,
        operations: count)
    },
    Workload("T2s", "insert rows with forty optional numbers", start: .new, target: 1.5) { count in
      let readings = PlainReading.make(count / 4)
      return Steps(
        measured: .insertReadings(readings), check: .fetchReadings, operations: readings.count)
    },
    Workload("T2", "fetch all of them, every value read", target: 1.5) { count in
      let readings = PlainReading.make(count / 4)
      return Steps(
        before: [.insertReadings(readings)], measured: .fetchReadings,
        operations: readings.count)
    },
    Workload("T3s", "insert shelves with dictionaries of ten books", start: .new) { count in
      let shelves = PlainShelf.make(count / PlainShelf.size)
      return Steps(
        measured: .insertShelves(shelves), check: .fetchShelves,
        operations: shelves.count * (1 + PlainShelf.size))
    },
    Workload(
      "T3", "fetch all shelves with their books, every value read", target: 2.5
    ) { count in
      let shelves = PlainShelf.make(count / PlainShelf.size)
      return Steps(
        before: [.insertShelves(shelves)], measured: .fetchShelves,
        operations: shelves.count * (1 + PlainShelf.size))
    },
    Workload("T4", "insert a tree of folders", start: .new, target: 1.6) { count in
      Steps(
        measured: .insertTree(PlainTree.make(count / 5)), check: .fetchTree,
        operations: count / 5)
    },
    sort("T5", "sort fetched people in random order by name", .closure),
    sort("T6", "the same with sorted(by: \\.name)", .property),
  ]

  private static func sort(
    _ name: String, _ title: String, _ comparison: Comparison
  ) -> Workload {
    Workload(name, title, target: 1.3) { count in
      var random = SplitMix(state: 7)
      let people = [PlainPerson].make(count).shuffled(using: &random)
      return Steps(
        before: [.insertPeople(people)], measured: .sortPeople(by: comparison), operations: count)
    }
  }

  static let openings = [
    Workload(
      "N1", "open the database, look up a person and close it", target: 1.5,
      isOfSingleOperations: true
    ) { count in
      let people = [PlainPerson].make(count / 100)
      return Steps(
        measured: .openAndLookUp(people, times: count / 250), operations: count / 250)
    },
    Workload(
      "N2", "awaited lookups by primary from the main actor", isOfSingleOperations: true
    ) { count in
      let people = [PlainPerson].make(count)
      return Steps(
        before: [.insertPeople(people)],
        measured: .lookUpPeopleFromMainActor(Sample.ids(count / 2, of: people)),
        operations: count / 2)
    },
  ]
}
