import MagicData
import Workloads

extension MagicDataEngine {
  /// Also inserts objects whose primaries exist already, which the caller does not specify.
  func insert(_ people: [PlainPerson]) -> Job {
    let people = people.map(Person.init)
    return { _ in
      try await magic.update(contentsOf: people)
      return Checksum()
    }
  }

  func save(_ people: [PlainPerson]) -> Job {
    let people = people.map(Person.init)
    return { run in
      for person in people {
        let start = run.begin()
        try await magic.update(person)
        run.end(start)
      }
      return Checksum()
    }
  }

  func save(_ people: [PlainPerson], observedBy observer: Observer) -> Job {
    let save = save(people)
    return { run in
      switch observer {
      case .none: return try await save(run)
      case .changes:
        let changes = magic.changes(of: Person.self)
        let reader = Task {
          var count = 0
          for await change in changes { count += change.inserted.count }
        }
        defer { reader.cancel() }
        return try await save(run)
      case .lastPeople:
        let query = magic.query(Person.self).order(by: \.$id, .descending).limit(20)
        let reading = await ObserverTask.start({ query.values() }) { people in
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
    let people = people.map(Person.init)
    return { _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for index in stride(from: task, to: people.count, by: tasks) {
              try await magic.update(people[index])
            }
          }
        }
        try await group.waitForAll()
      }
      return Checksum()
    }
  }

  func fetchAll(readingValues: Bool) -> Job {
    { run in
      let people = try await magic.object(of: Person.self)
      defer { run.keep(people) }
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
      let rows = try await magic.query(Person.self).select(\.$name, \.$age).all()
      run.keep(rows)
      var checksum = Checksum()
      for (name, age) in rows { checksum.add(name: name, age: age) }
      return checksum
    }
  }

  func increment() -> Job {
    { _ in
      try await magic.query(Person.self).update(set: .set(\.$age, to: { $0.$age + 1 }))
      return Checksum()
    }
  }

  func streamAll() -> Job {
    { _ in
      var checksum = Checksum()
      for try await person in magic.query(Person.self).stream() { checksum.add(person) }
      return checksum
    }
  }

  func lookUp(_ ids: [String]) -> Job {
    { run in
      var checksum = Checksum()
      for id in ids {
        let start = run.begin()
        checksum.add(try await magic.object(of: Person.self, primary: id).age)
        run.end(start)
      }
      return checksum
    }
  }

  func lookUpUnread(_ ids: [String]) async throws -> Job {
    // After SQL, no row in memory is valid, as after a commit of another process.
    let statement: MagicSQL = """
      UPDATE Person SET age = age + 1 WHERE z_index = (SELECT max(z_index) FROM Person)
      """
    try await magic.sql(statement).run()
    return lookUp(ids)
  }

  func change(_ people: [PlainPerson]) async throws -> Job {
    let people = try await magic.object(of: Person.self, primaries: people.map(\.id))
    return { _ in
      for person in people { person.age += 1 }
      try await magic.update(contentsOf: people)
      return Checksum()
    }
  }
}

extension Checksum {
  @inline(__always)
  fileprivate mutating func add(_ person: Person) {
    add(
      id: person.id, name: person.name, age: person.age, height: person.height,
      nickname: person.nickname, photo: person.photo)
  }
}
