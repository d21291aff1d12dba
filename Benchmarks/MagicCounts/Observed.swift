import Foundation
import MagicData

/// The object of counted saves.
struct Observed: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var height: Double = 0
  @OptionMagicValue var nickname: String?
  @MagicValue var photo: Data = Data()

  init() {}

  init(_ number: Int) {
    id = "person number \(number)"
    name = "a name of thirty characters \(number % 10)"
    age = number % 90
    height = 1.5 + Double(number % 50) / 100
    nickname = number % 3 == 0 ? nil : "nick \(number)"
    photo = Data(repeating: UInt8(truncatingIfNeeded: number), count: 32)
  }
}

/// An object that counted saves do not change. Each marker makes another type with its own table.
struct Other<Marker: Sendable>: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.indexed) var name: String = ""
  @MagicValue var count: Int = 0

  init() {}
}
