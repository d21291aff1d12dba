import MagicData
import Testing

/// The examples of observation: each starts, receives a save, and ends.
@Suite(.timeLimit(.minutes(5))) struct DocumentedObservation {
  @Test func changesOfATypeAreReceived() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    try await magic.update(ada)
    let all = Task {
      for await changes in magic.changes(of: Person.self) {
        print(changes.inserted.count, changes.updated.count, changes.deleted.count)
        if changes.hasChanged(\.$name) { print("names have changed") }
      }
    }
    let one = Task {
      for await _ in magic.changes(of: Person.self, primary: ada.id) { print("Ada has changed") }
    }
    let some = Task {
      for await changes in magic.changes(of: Person.self, columns: \.$name, \.$age) {
        print(changes.updated.count)
      }
    }
    let every = Task {
      for await changes in magic.changes() {
        print(changes.tables)
        let people = try changes[Person.self]
        print(people.inserted.count)
      }
    }
    try await magic.wait { $0.observerCount == 4 }
    try await magic.update(Person(name: "Grace"))
    await magic.close()
    _ = await (all.value, one.value, some.value)
    try await every.value
  }

  @Test func resultsArePublishedAgain() async throws {
    let magic = try await MagicData(type: .temporary)
    let query = Task {
      for try await people in magic.query(Person.self).where(\.$age >= 18).values() {
        print(people.count)
      }
    }
    let sql = Task {
      let counts = magic.sql("SELECT count(*) FROM \(table: Person.self)").values(Int.self)
      for try await count in counts { print(count[0]) }
    }
    let body = Task {
      let adults = magic.values { snapshot in
        try snapshot.query(Person.self).where(\.$age >= 18).count()
      }
      for try await count in adults { print(count) }
    }
    let several = Task {
      let summary = magic.values { snapshot in
        let people = snapshot.query(Person.self)
        return (adults: try people.where(\.$age >= 18).count(), oldest: try people.max(\.$age))
      }
      for try await (adults, oldest) in summary { print(adults, oldest ?? 0) }
    }
    try await magic.wait { $0.observerCount == 4 }
    try await magic.update(Person(name: "Grace"))
    // Closing instead could meet a first read, which would fail.
    for task in [query, sql, body, several] { task.cancel() }
    try await query.value
    try await sql.value
    try await body.value
    try await several.value
  }
}

extension MagicData {
  /// Waits until the database has the expected state.
  fileprivate nonisolated func wait(_ fits: (MagicObjectStore) -> Bool) async throws {
    while !fits(store) { try await Task.sleep(nanoseconds: 1_000_000) }
  }
}
