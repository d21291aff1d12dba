import MagicData

// The types that `GeneratedTypes.swift` needs and that the file does not describe.

struct Celsius: Magical {
  let degrees: Double

  var storedValue: Double { degrees }
  init(storedValue: Double) { degrees = storedValue }
}

struct Job: MagicalCodable {
  let title: String
}

struct Letter: MagicalCodable {
  let heading: String
}

struct Spot: Codable, Hashable, Sendable {
  let row: Int
  let side: String
}
