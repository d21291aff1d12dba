import Foundation
import Workloads

/// Lines of JSON by Foundation's JSONEncoder and JSONDecoder over plain structs, without a database.
struct FoundationJSON: Engine {
  static let name = "Foundation JSON"
  static let version = "of Swift"
  private let directory: String
  private let people = People()

  /// The structs in memory. Jobs use them one after the other.
  private final class People: @unchecked Sendable {
    var all: [PlainPerson] = []
  }

  static func open(directory: String, durability: Durability) async throws -> FoundationJSON {
    FoundationJSON(directory: directory)
  }

  private init(directory: String) { self.directory = directory }

  private var path: String { directory + "/foundation.jsonl" }

  /// A job for the export and the import of lines.
  func job(for work: Work) async throws -> Job? {
    switch work {
    case .exportPeople(let people):
      return { [path] _ in
        try PlainPerson.writeLines(people, to: path)
        return Checksum()
      }
    case .sumUpExport: return { [path] _ in Self.sum(try PlainPerson.readLines(from: path)) }
    case .importPeople(let people):
      try PlainPerson.writeLines(people, to: path)
      return { [path, people = self.people] _ in
        people.all = try PlainPerson.readLines(from: path)
        return Checksum()
      }
    // What the import has read.
    case .fetchPeople(readingValues: true) where !people.all.isEmpty:
      return { [people] _ in Self.sum(people.all) }
    default: return nil
    }
  }

  private static func sum(_ people: [PlainPerson]) -> Checksum {
    var checksum = Checksum()
    checksum.add(people)
    return checksum
  }

  func close() async {}
}
