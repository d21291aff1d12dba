import CopySupport
import Foundation
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

@Suite(.requiresPostgreSQL) struct ValueTests {
  private func text(_ random: inout SeededRandom) -> String {
    let scalars: [Unicode.Scalar] = ["\u{0}", "\u{1}", "\u{2}", "\u{3}", "a", "Z", "é", "😀", "\n"]
    var text = String.UnicodeScalarView()
    for _ in 0..<random.below(12) { text.append(scalars[random.below(scalars.count)]) }
    return String(text)
  }

  private func real(_ random: inout SeededRandom) -> Double {
    let special: [Double] = [
      -0.0, 0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
    ]
    let drawn = Double(bitPattern: random.next())
    return random.below(2) == 0 || drawn.isNaN ? special[random.below(special.count)] : drawn
  }

  private func sample(_ random: inout SeededRandom) -> Sample {
    let sample = Sample()
    sample.text = text(&random)
    sample.url = URL(string: "https://example.com/\(random.below(100))?q=%00")!
    sample.int = Int(truncatingIfNeeded: random.next())
    sample.small = Int8(truncatingIfNeeded: random.next())
    sample.unsigned = UInt32(truncatingIfNeeded: random.next())
    sample.flag = random.below(2) == 1
    sample.real = real(&random)
    sample.single = Float(random.below(1000)) / 7
    sample.date = Date(
      timeIntervalSinceReferenceDate: Double(random.below(1 << 30)) + 0.123_456_789)
    sample.decimal = Decimal(string: "-\(random.below(1 << 40)).\(random.below(1 << 30))")!
    sample.data = random.data(count: random.below(40))
    sample.bytes = Array(random.data(count: random.below(4)))
    sample.list = (0..<random.below(4)).map { _ in text(&random) }
    sample.map = ["\u{0}": random.below(9)]
    sample.map[text(&random)] = 1
    if random.below(2) == 1 { sample.note = text(&random) }
    if random.below(2) == 1 { sample.number = real(&random) }
    return sample
  }

  private func expectEqual(_ left: Sample, _ right: Sample) {
    #expect(Array(left.text.utf8) == Array(right.text.utf8))
    #expect(left.url == right.url)
    #expect(left.uuid == right.uuid)
    #expect(left.int == right.int)
    #expect(left.small == right.small)
    #expect(left.unsigned == right.unsigned)
    #expect(left.flag == right.flag)
    #expect(left.real.bitPattern == right.real.bitPattern)
    #expect(left.single.bitPattern == right.single.bitPattern)
    #expect(left.date == right.date)
    #expect(left.decimal == right.decimal)
    #expect(left.data == right.data)
    #expect(left.bytes == right.bytes)
    #expect(left.list == right.list)
    #expect(left.map == right.map)
    #expect(left.note == right.note)
    #expect(left.number?.bitPattern == right.number?.bitPattern)
  }

  /// One object is saved by INSERT, and many by COPY.
  @Test(arguments: [1, 300]) func valuesAreFetchedBitForBit(_ count: Int) throws {
    let store = try TestSchema().open()
    defer { store.close() }
    var random = SeededRandom(UInt64(count))
    let samples = (0..<count).map { _ in sample(&random) }
    try store.update(contentsOf: samples)
    let fetched = try store.object(of: Sample.self)
    #expect(fetched.count == count)
    for (saved, found) in zip(samples, fetched) { expectEqual(saved, found) }
    // Updates write the same forms.
    for sample in samples {
      sample.text = text(&random)
      sample.real = real(&random)
      sample.uuid = UUID()
    }
    try store.update(contentsOf: samples)
    for (saved, found) in zip(samples, try store.object(of: Sample.self)) {
      expectEqual(saved, found)
    }
  }

  @Test func theTypesOfColumnsAreThoseOfPostgreSQL() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    try store.update(Sample())
    let result = try schema.run(
      """
      SELECT column_name, data_type, collation_name FROM information_schema.columns \
      WHERE table_name = 'Sample' AND table_schema = current_schema()
      """)
    var types: [String: String] = [:]
    for row in 0..<result.count {
      types[result.text(row, 0)] = result.text(row, 1)
    }
    #expect(types["z_index"] == "bigint")
    #expect(types["text"] == "text")
    #expect(types["uuid"] == "uuid")
    #expect(types["flag"] == "boolean")
    #expect(types["real"] == "double precision")
    #expect(types["data"] == "bytea")
    #expect(types["list"] == "bytea")
  }

  @Test func aValueThatCannotBeStoredIsRefused() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let sample = Sample()
    sample.real = .nan
    #expect(code { try store.update(sample) } == .cannotEncode)
    #expect(try store.object(of: Sample.self).isEmpty)
  }
}
