internal import GRDB
internal import Workloads

extension RecordEngine {
  func insert(_ people: [PlainPerson]) -> Job {
    let records = people.map(Person.init)
    return { _ in
      try await pool.write { db in
        for record in records { try record.insert(db) }
      }
      return Checksum()
    }
  }

  func save(_ people: [PlainPerson]) -> Job {
    let records = people.map(Person.init)
    return { run in
      for record in records {
        let start = run.begin()
        try await pool.write { db in try record.insert(db) }
        run.end(start)
      }
      return Checksum()
    }
  }

  func save(_ people: [PlainPerson], tasks: Int) -> Job {
    let records = people.map(Person.init)
    return { _ in
      try await Pool.tasks(tasks, of: records.count) { indices in
        for index in indices { try await pool.write { db in try records[index].insert(db) } }
        return Checksum()
      }
    }
  }

  func fetchAll(readingValues: Bool) -> Job {
    { run in
      let people = try await pool.read { db in try Person.fetchAll(db) }
      run.keep(people)
      var checksum = Checksum()
      guard readingValues else {
        checksum.add(people.count)
        return checksum
      }
      for person in people { checksum.add(person) }
      return checksum
    }
  }

  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#cursors
  func streamAll() -> Job {
    { _ in
      try await pool.read { db in
        var checksum = Checksum()
        let people = try Person.fetchCursor(db)
        while let person = try people.next() { checksum.add(person) }
        return checksum
      }
    }
  }

  func lookUp(_ ids: [String]) -> Job {
    { run in
      var checksum = Checksum()
      for id in ids {
        let start = run.begin()
        checksum.add(try await person(id).age)
        run.end(start)
      }
      return checksum
    }
  }

  func insertResidents(_ people: [PlainPerson]) -> Job {
    let records = people.map(Resident.init)
    return { _ in
      try await pool.write { db in
        for record in records { try record.insert(db) }
      }
      return Checksum()
    }
  }

  func filter(ages: [Int]) -> Job {
    { run in
      var checksum = Checksum()
      for age in ages {
        let start = run.begin()
        let residents = try await pool.read { db in
          try Resident.filter { $0.age == age }.fetchAll(db)
        }
        for resident in residents { checksum.add(resident) }
        run.end(start)
      }
      return checksum
    }
  }

  /// Only the column that has changed is written.
  ///
  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#persistence-methods
  func change(_ people: [PlainPerson]) async throws -> Job {
    let stored = Stored(
      try await pool.read { db in try people.map { try Person.find(db, id: $0.id) } })
    return { _ in
      for index in stored.records.indices { stored.records[index].age += 1 }
      let records = stored.records
      try await pool.write { db in
        for record in records { try record.update(db, columns: [Person.Columns.age]) }
      }
      return Checksum()
    }
  }

  /// `save` updates the row that has the key, or inserts a row if there is none.
  ///
  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#persistence-methods
  func replace(_ people: [PlainPerson]) -> Job {
    let records = people.map(Person.init)
    return { _ in
      try await pool.write { db in
        for record in records { try record.save(db) }
      }
      return Checksum()
    }
  }

  func lookUp(_ ids: [String], tasks: Int, beside people: [PlainPerson]) -> Job {
    { _ in
      let writer = Writer(people) { person in
        try await pool.write { db in try Person(person).save(db) }
      }
      return try await writer.beside {
        try await Pool.tasks(tasks, of: ids.count) { indices in
          var checksum = Checksum()
          for index in indices { checksum.add(try await person(ids[index]).age) }
          return checksum
        }
      }
    }
  }

  private func person(_ id: String) async throws -> Person {
    try await pool.read { db in try Person.find(db, id: id) }
  }
}

extension Checksum {
  fileprivate mutating func add(_ person: some PersonRecord) {
    add(
      id: person.id, name: person.name, age: person.age, height: person.height,
      nickname: person.nickname, photo: person.photo)
  }
}
