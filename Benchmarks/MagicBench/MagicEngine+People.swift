import MagicData

extension MagicEngine {
  func insertResidents(_ people: [PlainPerson]) async throws {
    try await magic.update(contentsOf: people.map(Resident.init))
  }

  func filter(ages: [Int]) async throws -> Checksum {
    var checksum = Checksum()
    for age in ages {
      for person in try await magic.query(Resident.self).where(\.$age == age).all() {
        checksum.add(
          id: person.id, name: person.name, age: person.age, height: person.height,
          nickname: person.nickname, photo: person.photo)
      }
    }
    return checksum
  }

  func stored(_ people: [PlainPerson]) async throws -> [Person] {
    try await magic.object(of: Person.self, primaries: people.map(\.id))
  }

  func change(_ people: [Person]) async throws {
    for person in people { person.age += 1 }
    try await magic.update(contentsOf: people)
  }

  func replace(_ records: [Person]) async throws {
    try await magic.update(contentsOf: records)
  }

  func lookUp(_ ids: [String], tasks: Int, beside: [PlainPerson]) async throws -> Checksum {
    let writing = Task {
      for person in beside.map(Person.init) where !Task.isCancelled {
        try await magic.update(person)
      }
    }
    let checksum = try await withThrowingTaskGroup(of: Checksum.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var checksum = Checksum()
          for index in stride(from: task, to: ids.count, by: tasks) {
            checksum.add(try await magic.object(of: Person.self, primary: ids[index]).age)
          }
          return checksum
        }
      }
      var sum = Checksum()
      for try await checksum in group { sum.add(checksum) }
      return sum
    }
    writing.cancel()
    _ = await writing.result
    return checksum
  }
}
