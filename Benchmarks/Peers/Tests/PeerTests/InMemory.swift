import Foundation
import Workloads

/// An engine that stores people in memory, and lets tests read them.
actor InMemory<Reading: PersonReading>: Engine {
  static var name: String { "In memory, \(Reading.self)" }
  static var version: String { "1" }
  private var people: [PlainPerson] = []

  static func open(directory: String, durability: Durability) async throws -> InMemory {
    InMemory()
  }

  func job(for work: Work) async throws -> Job? {
    switch work {
    case .insertPeople(let people): { _ in await self.insert(people) }
    case .fetchPeople: { _ in await self.sumUp() }
    default: nil
    }
  }

  func close() async {}

  private func insert(_ people: [PlainPerson]) -> Checksum {
    self.people += people
    return Checksum()
  }

  private func sumUp() -> Checksum {
    var checksum = Checksum()
    for person in people { Reading.add(person, to: &checksum) }
    return checksum
  }
}

protocol PersonReading: SendableMetatype {
  static func add(_ person: PlainPerson, to checksum: inout Checksum)
}

/// Reads every value.
enum Thorough: PersonReading {
  static func add(_ person: PlainPerson, to checksum: inout Checksum) {
    checksum.add(
      id: person.id, name: person.name, age: person.age, height: person.height,
      nickname: person.nickname, photo: person.photo)
  }
}

/// Omits the photo.
enum Hasty: PersonReading {
  static func add(_ person: PlainPerson, to checksum: inout Checksum) {
    checksum.add(
      id: person.id, name: person.name, age: person.age, height: person.height,
      nickname: person.nickname, photo: Data())
  }
}
