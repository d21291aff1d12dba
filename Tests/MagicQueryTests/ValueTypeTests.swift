import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport
import Testing

private struct Lap: MagicObject {
  @PrimaryMagicValue var number: UInt8
  @MagicValue(.indexed) var time: Duration = .zero
  @OptionMagicValue var pause: Duration?
  @MagicValue var lane: Character = "a"
  @MagicValue var length: CGFloat = 0
  @MagicValue var days = 0..<1
  @MagicValue var start = DateComponents()

  init() {}

  init(_ number: UInt8, _ time: Duration, _ lane: Character = "a", _ length: CGFloat = 0) {
    (self.number, self.time, self.lane, self.length) = (number, time, lane, length)
  }
}

@Suite(.everyEngine) struct ValueTypeTests {
  private func laps(_ test: TestStore) throws -> MagicQuery<Lap, MagicObjectStore> {
    let times: [Duration] = [.seconds(2), .seconds(-3), .milliseconds(-2_500), .seconds(10), .zero]
    let laps = times.enumerated().map {
      Lap(UInt8($0), $1, ["b", "a", "c", "Z", "é"][$0], CGFloat($0))
    }
    laps[0].pause = .seconds(1)
    laps[1].days = 3..<9
    laps[2].start = DateComponents(year: 2026)
    try test.store.update(contentsOf: laps)
    return test.store.query(Lap.self)
  }

  @Test func durationsAreComparedAndSorted() throws {
    let test = try TestStore()
    let laps = try laps(test)
    #expect(try laps.order(by: \.$time).select(\.$number).all() == [1, 2, 4, 0, 3])
    #expect(try laps.where(\.$time < .zero).count() == 2)
    #expect(try laps.where(\.$time >= .milliseconds(-2_500) && \.$time < .seconds(10)).count() == 3)
    #expect(try laps.where { $0.$time.in(.seconds(-3) ... .zero) }.count() == 3)
    #expect(try laps.where(\.$pause == .seconds(1)).count() == 1)
    #expect(try laps.where(\.$pause == nil).count() == 4)
    #expect(try laps.max(\.$time) == .seconds(10))
    #expect(try laps.min(\.$time) == .seconds(-3))
  }

  @Test func otherValuesAreCompared() throws {
    let test = try TestStore()
    let laps = try laps(test)
    #expect(try laps.order(by: \.$lane).select(\.$lane).all() == ["Z", "a", "b", "c", "é"])
    #expect(try laps.where(\.$lane == "é").count() == 1)
    #expect(try laps.where(\.$days == 3..<9).select(\.$number).all() == [1])
    #expect(
      try laps.where(\.$start == DateComponents(year: 2026)).select(\.$number).all() == [2])
    #expect(try laps.where(\.$length * 2 > 5.5).count() == 2)
    #expect(try laps.sum(\.$length) == 10)
  }

  @Test func anIntegerIsAPrimary() throws {
    let test = try TestStore()
    _ = try laps(test)
    #expect(try test.store.object(of: Lap.self, primary: UInt8(3)).time == .seconds(10))
    try test.store.update(Lap(3, .seconds(11)))
    #expect(try test.store.query(Lap.self).count() == 5)
    #expect(try test.store.object(of: Lap.self, primary: UInt8(3)).time == .seconds(11))
    #expect(code { try test.store.update(Lap()) } == .missingValue)
  }

  @Test func anIntegerLiteralIsAPrimaryOfAnyIntegerType() throws {
    let test = try TestStore()
    _ = try laps(test)
    #expect(try test.store.object(of: Lap.self, primary: 3).time == .seconds(10))
    #expect(code { try test.store.object(of: Lap.self, primary: 259) } == .notFound)
    #expect(code { try test.store.object(of: Lap.self, primary: -253) } == .notFound)
    #expect(code { try test.store.object(of: Lap.self, primary: Int16(3)) } == .wrongType)
    #expect(code { try test.store.object(of: Lap.self, primary: "3") } == .wrongType)
  }

  @Test func integersOfAllTypesArePrimaries() throws {
    func check<Value: MagicalPrimaryValue & FixedWidthInteger>(_ type: Value.Type) throws {
      let test = try TestStore()
      let values: [Value] = [.min, 0, 1, .max]
      try test.store.update(contentsOf: Set(values).map { Numbered($0) })
      for value in values {
        #expect(try test.store.object(of: Numbered<Value>.self, primary: value).id == value)
      }
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
  }
}

private struct Numbered<Value: MagicalPrimaryValue>: MagicObject {
  @PrimaryMagicValue var id: Value

  init() {}
  init(_ id: Value) { self.id = id }
}
