import Foundation

/// People as lines of JSON, by Foundation.
extension PlainPerson {
  private static let pieceSize = 1 << 20

  /// Writes an object of JSON for each person, and syncs the file.
  public static func writeLines(_ people: [PlainPerson], to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let encoder = JSONEncoder()
    var piece = Data()
    for person in people {
      piece += try encoder.encode(person)
      piece.append(0x0A)
      guard piece.count >= pieceSize else { continue }
      try file.write(contentsOf: piece)
      piece.removeAll(keepingCapacity: true)
    }
    try file.write(contentsOf: piece)
    try file.synchronize()
    try file.close()
  }

  /// Reads people from lines of JSON, which may have other members too.
  public static func readLines(from path: String) throws -> [PlainPerson] {
    let decoder = JSONDecoder()
    return try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
      .map { try decoder.decode(PlainPerson.self, from: $0) }
  }
}

extension Checksum {
  /// Adds the values of people.
  public mutating func add(_ people: [PlainPerson]) {
    for person in people {
      add(
        id: person.id, name: person.name, age: person.age, height: person.height,
        nickname: person.nickname, photo: person.photo)
    }
  }
}
