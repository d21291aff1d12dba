import Foundation
import Workloads

/// Works that write, and the works that read the written values.
enum Written: String, CaseIterable {
  case inserted, savedOneByOne, savedAtOnce, changed, changedTwice, replaced, savedBesideReaders

  private static let people = PlainPerson.make(100)

  /// The same keys with other values.
  private static let others = zip(people, PlainPerson.make(150).suffix(100)).map { old, new in
    var person = new
    person.id = old.id
    person.name = "Another person, number \(new.age)"
    person.nickname = new.nickname == nil ? "nickname" : nil
    person.photo = Data("a photo of another size: \(new.name)".utf8)
    return person
  }

  /// Enough lookups that the writer saves all people at least once.
  private static let looked = (0..<40).flatMap { _ in people.prefix(50).map(\.id) }

  private var works: [Work] {
    switch self {
    case .inserted: [.insertPeople(Self.people)]
    case .savedOneByOne: [.savePeople(Self.people, tasks: 1)]
    case .savedAtOnce: [.savePeople(Self.people, tasks: 16)]
    case .changed, .changedTwice: [.insertPeople(Self.people), .changePeople(Self.people)]
    case .replaced: [.insertPeople(Self.people), .replacePeople(Self.others)]
    case .savedBesideReaders:
      [
        .insertPeople(Array(Self.people.prefix(50))),
        .lookUpPeopleBesideWriter(Self.looked, tasks: 4, saving: Array(Self.people.prefix(50))),
        .insertPeople(Array(Self.people.dropFirst(50))),
      ]
    }
  }

  /// The checksum of the stored values; nil if the engine does not support the work.
  func readBack(from engine: any Engine) async throws -> Checksum? {
    var last: Job?
    for work in works {
      guard let job = try await engine.job(for: work) else { return nil }
      _ = try await job(Run())
      last = job
    }
    if self == .changedTwice { _ = try await last?(Run()) }
    return try await engine.job(for: .fetchPeople(readingValues: true))?(Run())
  }

  /// The checksum of the expected values.
  var expected: Checksum {
    let older = [Self.changed: 1, .changedTwice: 2][self] ?? 0
    var checksum = Checksum()
    for person in self == .replaced ? Self.others : Self.people {
      checksum.add(
        id: person.id, name: person.name, age: person.age + older, height: person.height,
        nickname: person.nickname, photo: person.photo)
    }
    return checksum
  }
}
