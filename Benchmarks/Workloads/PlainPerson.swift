public import Foundation

/// A person as a plain struct, into which hand-written loops read rows.
public struct PlainPerson: Codable, Sendable {
  /// The primary.
  public var id: String
  /// Thirty characters.
  public var name: String
  /// A whole number, which works that change people change.
  public var age: Int
  /// A real number.
  public var height: Double
  /// Nil for one of three rows.
  public var nickname: String?
  /// Thirty-two bytes.
  public var photo: Data

  /// All values of a person.
  @inlinable
  public init(
    id: String, name: String, age: Int, height: Double, nickname: String?, photo: Data
  ) {
    self.id = id
    self.name = name
    self.age = age
    self.height = height
    self.nickname = nickname
    self.photo = photo
  }
}

extension PlainPerson {
  /// Creates people with random keys, always the same.
  ///
  /// - Parameter first: The number of the first person.
  public static func make(_ count: Int, seed: UInt64 = 42, from first: Int = 0) -> [PlainPerson] {
    var random = SplitMix(state: seed)
    return (first..<first + count).map { index in
      let photo = (0..<32).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0) }
      return PlainPerson(
        id: UUID(uuid: random.uuid()).uuidString,
        name: "Person number \(1_000_000_000_000_000 + index)",
        age: index % 90,
        height: 1.2 + Double(index % 80) / 100.7,
        nickname: index % 3 == 0 ? nil : "nick \(index % 1000)",
        photo: Data(photo))
    }
  }
}
