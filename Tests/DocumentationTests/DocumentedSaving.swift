import MagicData
import Testing

// The examples of saving in articles.

struct Reading: MagicObject {
  static var indexes: [MagicIndex<Reading>] { [MagicIndex(\.$sensor, \.$time, .unique)] }

  @PrimaryMagicValue var id: Int
  @MagicValue var sensor: String
  @MagicValue var time: Int
  @MagicValue var degrees: Double

  init() {}

  init(sensor: String, time: Int, degrees: Double) {
    (self.sensor, self.time, self.degrees) = (sensor, time, degrees)
  }
}

@Suite struct DocumentedSaving {
  @Test func rowsAreFoundByUniqueProperties() async throws {
    let magic = try await MagicData(type: .temporary)

    let first = Reading(sensor: "roof", time: 900, degrees: 18.5)
    try await magic.insert(first)

    let same = Reading(sensor: "roof", time: 900, degrees: 19)
    let row = try await magic.insert(same, orIgnore: true)
    print(row == nil)  // true

    try await magic.update(same, matching: \.$sensor, \.$time)
    print(same.id == first.id)  // true

    #expect(row == nil && same.id == first.id)
    #expect(try await magic.object(of: Reading.self).map(\.degrees) == [19])
  }
}
