internal import GRDB
internal import Workloads

extension GRDBSQL {
  func insert(_ people: [PlainPerson], into table: String) -> Job {
    { _ in
      try await pool.write { db in
        let statement = try db.cachedStatement(sql: Self.insert(into: table))
        for person in people { try Self.execute(statement, person) }
      }
      return Checksum()
    }
  }

  func save(_ people: [PlainPerson]) -> Job {
    let sql = Self.insert(into: "person")
    return { run in
      for person in people {
        let start = run.begin()
        try await pool.write { db in try Self.execute(db.cachedStatement(sql: sql), person) }
        run.end(start)
      }
      return Checksum()
    }
  }

  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#database-observation
  func save(_ people: [PlainPerson], observedBy observer: Observer) -> Job {
    let save = save(people)
    return { run in
      switch observer {
      case .none: return try await save(run)
      case .changes:
        let observation = DatabaseRegionObservation(tracking: Table("person"))
        let cancellable = observation.start(in: pool) { _ in
        } onChange: { _ in
        }
        defer { cancellable.cancel() }
        return try await save(run)
      case .lastPeople:
        let observation = ValueObservation.tracking { db in
          try Row.fetchAll(db, sql: Self.lastPeople).map(PlainPerson.init)
        }
        let pool = pool
        let reading = await ObserverTask.start({ observation.values(in: pool) }) { people in
          var checksum = Checksum()
          for person in people { checksum.add(person) }
        }
        let checksum = try await save(run)
        try await reading.end()
        return checksum
      }
    }
  }

  func save(_ people: [PlainPerson], tasks: Int) -> Job {
    let sql = Self.insert(into: "person")
    return { _ in
      try await Pool.tasks(tasks, of: people.count) { indices in
        for index in indices {
          try await pool.write { db in
            try Self.execute(db.cachedStatement(sql: sql), people[index])
          }
        }
        return Checksum()
      }
    }
  }

  func fetchAll(readingValues: Bool) -> Job {
    { run in
      let people = try await pool.read { db in
        var people: [PlainPerson] = []
        let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.allPeople))
        while let row = try rows.next() { people.append(PlainPerson(row)) }
        return people
      }
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

  func selectAll() -> Job {
    { run in
      let found = try await pool.read { db in
        var found: [(name: String, age: Int)] = []
        let rows = try Row.fetchCursor(
          db.cachedStatement(sql: "SELECT name, age FROM person ORDER BY rowid"))
        while let row = try rows.next() { found.append((row[0], row[1])) }
        return found
      }
      run.keep(found)
      var checksum = Checksum()
      for row in found { checksum.add(name: row.name, age: row.age) }
      return checksum
    }
  }

  func increment() -> Job {
    { _ in
      try await pool.write { db in try db.execute(sql: "UPDATE person SET age = age + 1") }
      return Checksum()
    }
  }

  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#cursors
  func streamAll() -> Job {
    { _ in
      try await pool.read { db in
        var checksum = Checksum()
        let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.allPeople))
        while let row = try rows.next() { checksum.add(PlainPerson(row)) }
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

  func filter(ages: [Int]) -> Job {
    { run in
      var checksum = Checksum()
      for age in ages {
        let start = run.begin()
        let people = try await pool.read { db in
          let statement = try db.cachedStatement(
            sql: """
              SELECT id, name, age, height, nickname, photo FROM resident WHERE age = ?
              """)
          var people: [PlainPerson] = []
          let rows = try Row.fetchCursor(statement, arguments: [age])
          while let row = try rows.next() { people.append(PlainPerson(row)) }
          return people
        }
        for person in people { checksum.add(person) }
        run.end(start)
      }
      return checksum
    }
  }

  func change(_ people: [PlainPerson]) -> Job {
    let stored = Stored(people)
    return { _ in
      for index in stored.records.indices { stored.records[index].age += 1 }
      let people = stored.records
      try await pool.write { db in
        let statement = try db.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
        for person in people { try statement.execute(arguments: [person.age, person.id]) }
      }
      return Checksum()
    }
  }

  func replace(_ people: [PlainPerson]) -> Job {
    { _ in
      try await pool.write { db in
        let statement = try db.cachedStatement(sql: Self.update)
        for person in people { try Self.execute(statement, person) }
      }
      return Checksum()
    }
  }

  func lookUp(_ ids: [String], tasks: Int, beside people: [PlainPerson]) -> Job {
    let insert = Self.insert(into: "person")
    return { _ in
      let writer = Writer(people) { person in
        try await pool.write { db in
          try Self.execute(db.cachedStatement(sql: Self.update), person)
          guard db.changesCount == 0 else { return }
          try Self.execute(db.cachedStatement(sql: insert), person)
        }
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

  private func person(_ id: String) async throws -> PlainPerson {
    try await pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT id, name, age, height, nickname, photo FROM person WHERE id = ?")
      let people = try Row.fetchCursor(statement, arguments: [id]).map { PlainPerson($0) }
      guard let person = try people.next() else {
        throw DatabaseError(resultCode: .SQLITE_NOTFOUND)
      }
      return person
    }
  }

  private static let lastPeople =
    "SELECT id, name, age, height, nickname, photo FROM person ORDER BY id DESC LIMIT 20"

  private static let allPeople =
    "SELECT id, name, age, height, nickname, photo FROM person ORDER BY rowid"

  /// Has the same values at the same positions as an insert.
  private static let update =
    "UPDATE person SET name = ?2, age = ?3, height = ?4, nickname = ?5, photo = ?6 WHERE id = ?1"

  private static func insert(into table: String) -> String {
    "INSERT INTO \(table) (id, name, age, height, nickname, photo) VALUES (?, ?, ?, ?, ?, ?)"
  }

  /// Passes the arguments to `execute`, which does not copy them.
  private static func execute(_ statement: Statement, _ person: PlainPerson) throws {
    try statement.execute(arguments: [
      person.id, person.name, person.age, person.height, person.nickname, person.photo,
    ])
  }
}

extension PlainPerson {
  fileprivate init(_ row: Row) {
    self.init(
      id: row[0], name: row[1], age: row[2], height: row[3], nickname: row[4], photo: row[5])
  }
}

extension Checksum {
  fileprivate mutating func add(_ person: PlainPerson) {
    add(
      id: person.id, name: person.name, age: person.age, height: person.height,
      nickname: person.nickname, photo: person.photo)
  }
}
