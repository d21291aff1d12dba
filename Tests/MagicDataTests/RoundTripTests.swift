import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Every storable type through the database: exactly the value, in the expected storage class.
@Suite(.everyEngine) struct RoundTripTests {
  let scratch = Scratch()

  /// Saves each value, reads it from the reopened file, and reads the columns by SQL.
  private func expectRoundTrip<Value: Magical & Sendable & Equatable>(
    _ values: [Value], as storageClass: String, at location: SourceLocation = #_sourceLocation,
    _ isSame: (Value, Value) -> Bool = { $0 == $1 }
  ) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: values.map { Box($0, $0) })
    try await magic.update(contentsOf: values.map { Box($0) })
    let again = try await magic.reopened(path: scratch.file())
    try expectInFile(
      storageClass, "SELECT group_concat(DISTINCT typeof(value)) FROM Box", at: location)
    try expectInFile(
      storageClass,
      "SELECT group_concat(DISTINCT typeof(option)) FROM Box WHERE z_index <= \(values.count)",
      at: location)
    let boxes = try await again.object(of: Box<Value>.self)
    #expect(boxes.count == 2 * values.count, sourceLocation: location)
    for (index, value) in values.enumerated() where boxes.count == 2 * values.count {
      let (full, empty) = (boxes[index], boxes[index + values.count])
      #expect(isSame(full.value, value), sourceLocation: location)
      #expect(full.option.map { isSame($0, value) } == true, sourceLocation: location)
      #expect(isSame(empty.value, value), sourceLocation: location)
      #expect(empty.option == nil, sourceLocation: location)
    }
    await again.close()
  }

  /// Reads the file, if the engine has files.
  private func expectInFile(
    _ text: String, _ sql: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    guard TestedEngine.current.has(.files) else { return }
    let connection = try scratch.raw()
    #expect(try connection.text(sql) == text, sourceLocation: location)
    connection.close()
  }

  @Test func strings() async throws {
    try await expectRoundTrip(
      [
        "", " ", "plain", "a\0b", "\0", "quote ' \" ` ; --", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\u{FEFF}bom",
        "\r\n",
        "\u{10FFFF}", String(repeating: "ü", count: 10_000), "7 bytes", "8  bytes", "123", "1e3",
      ], as: "text"
    ) { Array($0.utf8) == Array($1.utf8) }
  }

  @Test(.requires(.files)) func uuids() async throws {
    let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    let uuid = try #require(UUID(uuidString: text))
    try await expectRoundTrip([uuid, UUID(), UUID(uuid: UUID_NULL)], as: "text")
    let connection = try scratch.raw()
    #expect(try connection.text("SELECT value FROM Box LIMIT 1") == text)
    try connection.execute("UPDATE Box SET value = lower(value) WHERE z_index = 1")
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.object(of: Box<UUID>.self).first?.value == uuid)
  }

  @Test func urls() async throws {
    let texts = [
      "https://example.com/a%20b?q=1#f", "file:///tmp/x", "relative/path", "mailto:a@b.c",
    ]
    try await expectRoundTrip(texts.compactMap { URL(string: $0) }, as: "text")
  }

  @Test func signedIntegers() async throws {
    try await expectRoundTrip([Int.min, -1, 0, 1, .max], as: "integer")
  }

  @Test func int8s() async throws {
    try await expectRoundTrip([Int8.min, -1, 0, .max], as: "integer")
  }

  @Test func int16s() async throws {
    try await expectRoundTrip([Int16.min, -1, 0, .max], as: "integer")
  }

  @Test func int32s() async throws {
    try await expectRoundTrip([Int32.min, -1, 0, .max], as: "integer")
  }

  @Test func int64s() async throws {
    try await expectRoundTrip([Int64.min, -1, 0, .max], as: "integer")
  }

  @Test func uint8s() async throws { try await expectRoundTrip([UInt8.min, .max], as: "integer") }

  @Test func uint16s() async throws {
    try await expectRoundTrip([UInt16.min, .max], as: "integer")
  }

  @Test func uint32s() async throws {
    try await expectRoundTrip([UInt32.min, .max], as: "integer")
  }

  @Test func uints() async throws {
    try await expectRoundTrip([UInt.min, UInt(Int64.max)], as: "integer")
  }

  @Test func uint64s() async throws {
    try await expectRoundTrip([UInt64.min, UInt64(Int64.max)], as: "integer")
  }

  @Test func booleans() async throws {
    try await expectRoundTrip([true, false], as: "integer")
    try expectInFile("1,0,1,0", "SELECT group_concat(value) FROM Box")
  }

  @Test func doubles() async throws {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1 / 3, .pi, .infinity, -.infinity, .leastNonzeroMagnitude,
      .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne,
      9_007_199_254_740_992, 1e15, 1e16, 9.223372036854775807e18,
    ]
    try await expectRoundTrip(numbers, as: "real") { $0.bitPattern == $1.bitPattern }
  }

  @Test func floats() async throws {
    try await expectRoundTrip(
      [
        Float(0), -0.0, 0.1, .pi, .infinity, -.infinity, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude,
      ], as: "real"
    ) { $0.bitPattern == $1.bitPattern }
  }

  @Test func dates() async throws {
    try await expectRoundTrip(
      [
        Date(), Date(timeIntervalSince1970: 0), .distantPast, .distantFuture,
        Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: -0.0),
      ], as: "real"
    ) {
      $0.timeIntervalSinceReferenceDate.bitPattern == $1.timeIntervalSinceReferenceDate.bitPattern
    }
    try expectInFile("-978307200.0", "SELECT value FROM Box WHERE z_index = 2")
  }

  @Test func decimals() async throws {
    let texts = [
      "0", "-1", "0.1", "123456789012345678901234567890.12345678", "1e-20",
      "99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001",
    ]
    let values = texts.compactMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
    #expect(values.count == texts.count)
    try await expectRoundTrip(values, as: "text")
  }

  @Test func durations() async throws {
    try await expectRoundTrip(
      [.zero, .seconds(1.1), .seconds(-1.1), .seconds(Int64.min), .seconds(Int64.max)]
        as [Duration],
      as: "text")
    try expectInFile(
      "4,3,1,2,5",
      "SELECT group_concat(z_index) FROM (SELECT * FROM Box WHERE z_index < 6 ORDER BY value)")
  }

  @Test func characters() async throws {
    try await expectRoundTrip(["a", "\0", "e\u{301}", "👩‍👩‍👧‍👦"] as [Character], as: "text") {
      Array($0.unicodeScalars) == Array($1.unicodeScalars)
    }
  }

  @Test func cgFloats() async throws {
    try await expectRoundTrip(
      [0, -0.0, 0.1, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] as [CGFloat],
      as: "real"
    ) { $0.bitPattern == $1.bitPattern }
  }

  @Test func dateComponents() async throws {
    var components = DateComponents(year: .max, month: .min)
    components.timeZone = TimeZone(identifier: "UTC")
    try await expectRoundTrip([DateComponents(), components], as: "blob")
  }

  @Test func ranges() async throws {
    try await expectRoundTrip([0..<0, Int.min..<Int.max], as: "blob")
    try expectInFile("[0,0]", "SELECT CAST(value AS TEXT) FROM Box WHERE z_index = 1")
  }

  @Test func closedRanges() async throws {
    try await expectRoundTrip(["a"..."b", ""..."\0"], as: "blob")
  }

  @Test func data() async throws {
    try await expectRoundTrip(
      [Data(), Data([0]), Data([0, 255, 128]), Data(count: 100_000)], as: "blob")
  }

  @Test func bytes() async throws {
    try await expectRoundTrip([[UInt8](), [0], [0, 255, 128]], as: "blob")
    try expectInFile("00FF80", "SELECT hex(value) FROM Box WHERE z_index = 3")
  }

  @Test func arrays() async throws {
    try await expectRoundTrip([[String](), ["a", "b\"'\u{0}"], [""]], as: "blob")
    try expectInFile(
      "a", "SELECT json_extract(CAST(value AS TEXT), '$[0]') FROM Box WHERE z_index = 2")
  }

  @Test func sets() async throws {
    try await expectRoundTrip([Set<Int>(), [1, 2, 3], [.min, .max]], as: "blob")
  }

  @Test func dictionaries() async throws {
    try await expectRoundTrip([[String: Int](), ["b": 1, "a": 2, "": 3]], as: "blob")
    try expectInFile(
      #"{"":3,"a":2,"b":1}"#, "SELECT CAST(value AS TEXT) FROM Box WHERE z_index = 2")
  }

  @Test func dictionariesWithOtherKeys() async throws {
    try await expectRoundTrip([[Int: [String]](), [1: ["x"], -2: []]], as: "blob")
  }

  @Test func codableValues() async throws {
    try await expectRoundTrip(
      [Job(title: "", salary: nil), Job(title: "a/b", salary: 1.5)], as: "blob")
    try expectInFile(
      #"{"salary":1.5,"title":"a/b"}"#, "SELECT CAST(value AS TEXT) FROM Box WHERE z_index = 2")
  }

  @Test func enumerationsOfText() async throws {
    try await expectRoundTrip(Colour.allCases, as: "text")
    try expectInFile("red", "SELECT value FROM Box LIMIT 1")
  }

  @Test func enumerationsOfIntegersThatAreCodableToo() async throws {
    try await expectRoundTrip(Level.allCases, as: "integer")
    try expectInFile("10", "SELECT max(value) FROM Box")
  }

  @Test func typesOfTheUsersOwn() async throws {
    try await expectRoundTrip([Celsius(degrees: -273.15), Celsius(degrees: 0)], as: "real")
  }
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

struct Job: MagicalCodable, Equatable {
  var title: String
  var salary: Double?
}

enum Colour: String, Magical, CaseIterable { case red, green, darkBlue = "dark blue" }

enum Level: Int, MagicalCodable, CaseIterable { case low = -1, middle = 0, high = 10 }

struct Celsius: Magical, Equatable {
  var degrees: Double

  init(degrees: Double) { self.degrees = degrees }
  init(storedValue: Double) { degrees = storedValue }
  var storedValue: Double { degrees }
}
