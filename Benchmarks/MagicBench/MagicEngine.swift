import MagicData

/// The library, used as an app uses it.
struct MagicEngine: Engine {
  static let name = "MagicData"
  let magic: MagicData

  static func open(directory: String, durability: Durability) async throws -> MagicEngine {
    MagicEngine(
      magic: try await MagicData(
        path: directory + "/magic.sqlite3",
        options: MagicOptions(durability: durability == .full ? .full : .normal)))
  }

  static func reopen(directory: String, durability: Durability) async throws -> MagicEngine {
    try await open(directory: directory, durability: durability)
  }

  static func records(of people: [PlainPerson]) -> [Person] { people.map(Person.init) }

  func insert(_ records: [Person]) async throws {
    try await magic.update(contentsOf: records)
  }

  func saveOneByOne(_ records: [Person]) async throws {
    for record in records { try await magic.update(record) }
  }

  func saveAtOnce(_ records: [Person], tasks: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for index in stride(from: task, to: records.count, by: tasks) {
            try await magic.update(records[index])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func fetchAll(readingValues: Bool) async throws -> Checksum {
    let people = try await magic.object(of: Person.self)
    var checksum = Checksum()
    guard readingValues else {
      checksum.add(people.count)
      return checksum
    }
    for person in people {
      checksum.add(
        id: person.id, name: person.name, age: person.age, height: person.height,
        nickname: person.nickname, photo: person.photo)
    }
    return checksum
  }

  func lookUp(_ ids: [String]) async throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      checksum.add(try await magic.object(of: Person.self, primary: id).age)
    }
    return checksum
  }

  func close() async { await magic.close() }
}
