import EngineConformance
import Foundation
import MagicQuery
import MagicRelations
import MagicSchema
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Keys of types that were not `Magical` in earlier versions keep the form that files have.
@Suite struct JSONKeyTests {
  private struct Lap: MagicObject {
    @MagicValue var number: Int

    init() {}
    init(_ number: Int) { self.number = number }
  }

  private struct Race: MagicObject {
    @MagicValue var times: [Duration: Lap] = [:]
    @MagicValue var widths: [CGFloat: Lap] = [:]

    init() {}
  }

  @Test func durationsAndCGFloatsAreJSONKeys() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let race = Race()
    race.times = [.seconds(90): Lap(1)]
    race.widths = [1.5: Lap(2)]
    try store.update(race)
    for (property, json) in [("times", "[4,16213023705161793536]"), ("widths", "1.5")] {
      let table = "magic_Race.\(property)"
      let keys = try store.sql(
        "SELECT typeof(\"key\") || ' ' || CAST(\"key\" AS TEXT) FROM \(raw: table.quoted)"
      )
      .rows(String.self)
      #expect(keys == ["blob \(json)"])
      let forms = try store.sql(
        "SELECT details FROM magic_columns WHERE property = \(property)"
      ).rows(String.self)
      #expect(forms.count == 1 && forms[0].contains("json"))
    }
    let fetched = try store.object(of: Race.self)[0]
    #expect(fetched.times[.seconds(90)]?.number == 1 && fetched.widths[1.5]?.number == 2)
    #expect(try store.verify().isSound)
  }
}
