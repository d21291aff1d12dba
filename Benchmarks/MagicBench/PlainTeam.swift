import Foundation

/// A team as a plain struct, its members in it.
struct PlainTeam: Sendable {
  var id: String
  var name: String
  var founded: Int
  var members: [PlainMember]
}

/// A member as a plain struct: a person without a photo.
struct PlainMember: Sendable {
  var id: String
  var name: String
  var age: Int
  var height: Double
  var nickname: String?
}

extension PlainTeam {
  static let size = 10

  /// Teams of so many members each with random keys, the same ones every time.
  static func make(_ count: Int, size: Int = size) -> [PlainTeam] {
    var random = SplitMix(state: 43)
    return (0..<count).map { index in
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
