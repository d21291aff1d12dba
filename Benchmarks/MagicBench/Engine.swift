/// A database library under measurement. A workload knows no other side of it.
protocol Engine: Sendable {
  /// What the engine saves.
  associatedtype Record: Sendable

  static var name: String { get }

  /// A new database in an existing directory.
  static func open(directory: String, durability: Durability) async throws -> Self

  /// New records for people, made outside the measured time.
  static func records(of people: [PlainPerson]) -> [Record]

  /// Saves all in one transaction.
  func insert(_ records: [Record]) async throws

  /// Saves each in a transaction of its own.
  func saveOneByOne(_ records: [Record]) async throws

  /// Fetches everyone and reads every value, or none but the count.
  func fetchAll(readingValues: Bool) async throws -> Checksum

  /// Looks people up by their primary value, one call after the other.
  func lookUp(_ ids: [String]) async throws -> Checksum

  func close() async
}

/// What a commit promises.
enum Durability: String, Codable, Sendable {
  case normal = "NORMAL"
  case full = "FULL"
}
