import MagicData

nonisolated struct Label: Codable, Hashable {
  var text: String
}

struct Fahrenheit {
  var degrees: Double
}

nonisolated extension Fahrenheit: Magical {
  var storedValue: Double { degrees }
  init(storedValue: Double) { self.init(degrees: storedValue) }
}

struct Sensor: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var labels: [Label] = []
  @OptionMagicValue var highest: Fahrenheit?

  init() {}
}
