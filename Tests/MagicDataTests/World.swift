import Foundation
import MagicData

/// Named by a UUID.
struct Device: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue var label: String

  init() {}
  init(_ label: String) { self.label = label }
}

/// One value of any type, required and optional.
struct Box<Value: Magical & Sendable>: MagicObject {
  static var tableName: String { "Box" }

  @MagicValue var value: Value
  @OptionMagicValue var option: Value?

  init() {}
  init(_ value: Value, _ option: Value? = nil) {
    self.value = value
    self.option = option
  }
}

/// A class with an unstored property.
final class Lamp: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var id: String
  @MagicValue var watts: Int
  var isWarm = false

  init() {}
}

/// A struct with unstored properties, some of them computed.
struct Draft: MagicObject {
  var cursor = 7
  @MagicValue var body: String
  let tag = "plain"
  @OptionMagicValue var title: String?
  var length: Int { body.count }

  init() {}
}
