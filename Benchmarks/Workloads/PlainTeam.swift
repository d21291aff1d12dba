import Foundation

/// A team with its members, as a plain struct.
public struct PlainTeam: Sendable {
  /// The primary.
  public var id: String
  /// Twenty-nine characters.
  public var name: String
  /// A year.
  public var founded: Int
  /// The members in order.
  public var members: [PlainMember]

  /// All values of a team.
  @inlinable
  public init(id: String, name: String, founded: Int, members: [PlainMember]) {
    self.id = id
    self.name = name
    self.founded = founded
    self.members = members
  }
}

/// A member as a plain struct: a person without a photo.
public struct PlainMember: Sendable {
  /// The primary.
  public var id: String
  /// Thirty-one characters.
  public var name: String
  /// A whole number.
  public var age: Int
  /// A real number.
  public var height: Double
  /// Nil for one of three rows.
  public var nickname: String?

  /// All values of a member.
  @inlinable
  public init(id: String, name: String, age: Int, height: Double, nickname: String?) {
    self.id = id
    self.name = name
    self.age = age
    self.height = height
    self.nickname = nickname
  }
}

extension PlainTeam {
  /// The default number of members of a team.
  public static let size = 10

  /// Creates teams with random keys and with a number of members each, always the same.
  ///
  /// - Parameter first: The number of the first team.
  public static func make(
    _ count: Int, size: Int = size, seed: UInt64 = 43, from first: Int = 0
  ) -> [PlainTeam] {
    var random = SplitMix(state: seed)
    return (first..<first + count).map { index in
      PlainTeam(
        id: UUID(uuid: random.uuid()).uuidString,
        name: "Team number \(1_000_000_000_000_000 + index)",
        founded: 1900 + index % 120,
        members: (0..<size).map { PlainMember(index * size + $0, key: random.uuid()) })
    }
  }
}

extension PlainMember {
  fileprivate init(_ index: Int, key: uuid_t) {
    self.init(
      id: UUID(uuid: key).uuidString,
      name: "Member number \(1_000_000_000_000_000 + index)",
      age: index % 90,
      height: 1.2 + Double(index % 80) / 100.7,
      nickname: index % 3 == 0 ? nil : "nick \(index % 1000)")
  }
}
