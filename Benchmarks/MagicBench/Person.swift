import Foundation
import MagicData

/// The object that the workloads without relationships store.
struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var age: Int
  @MagicValue var height: Double
  @OptionMagicValue var nickname: String?
  @MagicValue var photo: Data

  init() {}

  init(_ person: PlainPerson) {
    id = person.id
    name = person.name
    age = person.age
    height = person.height
    nickname = person.nickname
    photo = person.photo
  }
}

/// The same as a plain struct: what a hand-written loop reads rows into.
struct PlainPerson: Sendable {
  var id: String
  var name: String
  var age: Int
  var height: Double
  var nickname: String?
  var photo: Data
}

extension PlainPerson {
  /// People with random keys, the same ones every time.
  static func make(_ count: Int, _ seed: UInt64 = 42) -> [PlainPerson] {
    var random = SplitMix(state: seed)
    return (0..<count).map { index in
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

/// A small generator of random numbers that gives the same ones in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func uuid() -> uuid_t {
    withUnsafeBytes(of: (next(), next())) { $0.load(as: uuid_t.self) }
  }
}
