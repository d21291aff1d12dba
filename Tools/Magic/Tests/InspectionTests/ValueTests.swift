import Foundation
import MagicInspection
import Testing

@Suite struct ValueTests {
  @Test func datesAreThoseOfFoundation() throws {
    let style = Date.ISO8601FormatStyle()
    for seconds in stride(from: -13_000_000_000.0, through: 60_000_000_000, by: 123_456_789) {
      let text = InspectedDate.text(seconds)
      #expect(text == Date(timeIntervalSinceReferenceDate: seconds).formatted(style))
      #expect(InspectedDate.seconds(text) == seconds)
    }
    #expect(InspectedDate.text(0.25) == "2001-01-01T00:00:00.250Z")
    #expect(InspectedDate.text(.infinity) == "inf")
    #expect(InspectedDate.seconds("2001-01-02") == 86_400)
    #expect(InspectedDate.seconds("2001-01-01T01:30") == 5_400)
    #expect(InspectedDate.seconds("2001-01-01 00:00:01.5Z") == 1.5)
    for text in ["", "2001", "2001-13-01", "2001-01-01T", "2001-01-01T99:00", "nan", "a-b-c"] {
      let seconds = InspectedDate.seconds(text)
      #expect(seconds == (text == "2001" ? 2_001 : nil), "\(text)")
    }
  }

  @Test func valuesAreShownByTheirForms() {
    func shown(_ stored: InspectedValue.Stored, _ form: InspectedForm) -> String? {
      InspectedValue(stored).text(as: form)
    }
    #expect(shown(.null, .text) == nil)
    #expect(shown(.integer(1), .bool) == "true")
    #expect(shown(.integer(2), .bool) == "2")
    #expect(shown(.real(3), .real) == "3")
    #expect(shown(.real(-0.0), .real) == "-0")
    #expect(shown(.real(0.1), .real) == "0.1")
    #expect(shown(.real(0), .date) == "2001-01-01T00:00:00Z")
    #expect(shown(.text("a"), .date) == "a")
    #expect(
      shown(.blob(Array(0..<16)), .uuidBytes) == "00010203-0405-0607-0809-0A0B0C0D0E0F")
    #expect(shown(.blob(Array("[1]".utf8)), .json) == "[1]")
    #expect(shown(.text("0000000000000000012.500000000000000000"), .duration) == "12.5 s")
    #expect(shown(.text("-9999999999999999987.500000000000000000"), .duration) == "-12.5 s")
    #expect(shown(.text("0000000000000000000.000000000000000000"), .duration) == "0 s")
  }

  @Test func theBeginningOfATextEndsWithAWholeCharacter() {
    for (part, size) in [("a", 1), ("é", 2), ("€", 3), ("😀", 4)] {
      let text = String(repeating: part, count: 5)
      for limit in 0..<(5 * size) {
        let value = InspectedValue(beginning: text, hasMore: false, limit: limit)
        #expect(value.text == String(repeating: part, count: limit / size))
        #expect(value.isTruncated)
      }
    }
    let whole = InspectedValue(beginning: "12345", hasMore: false, limit: 5)
    #expect(whole == InspectedValue(.text("12345")))
    let first = InspectedValue(beginning: "12345", hasMore: true, limit: 5)
    #expect(first.text == "12345")
    #expect(first.isTruncated)
  }

  @Test func jsonIsValidForEveryValue() throws {
    let values: [(InspectedValue.Stored, InspectedForm)] = [
      (.null, .text), (.integer(.max), .integer), (.integer(1), .bool), (.real(.infinity), .real),
      (.real(1e300), .real), (.text("\u{0}\"\\\n\u{202E}é"), .text), (.blob([1, 2]), .data),
      (.blob(Array("{\"a\":\n[1]}".utf8)), .json), (.blob(Array("{".utf8)), .json),
      (.blob([]), .json),
    ]
    let node = JSONNode.array(values.map { InspectedValue($0.0).json(as: $0.1) })
    for isIndented in [false, true] {
      let data = Data(node.text(isIndented: isIndented).utf8)
      let parsed = try JSONSerialization.jsonObject(with: data) as? [Any]
      #expect(parsed?.count == values.count)
      #expect(parsed?[5] as? String == "\u{0}\"\\\n\u{202E}é")
    }
    #expect(!node.text().contains("\n"))
    #expect(!node.text().contains("\u{202E}"))
    #expect(JSONNode.members(["a": .bool(true)]).text() == "{\"a\":true}")
  }
}
