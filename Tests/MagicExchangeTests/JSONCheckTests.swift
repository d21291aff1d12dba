import Foundation
import MagicExchange
import MagicTestSupport
import Testing

/// Values of JSON that are checked with everything that they contain.
@Suite struct JSONCheckTests {
  private func isValue(_ text: String, depth: Int = .max) -> Bool {
    Array(text.utf8).withUnsafeBytes { JSONText.isValue($0, depth: depth) }
  }

  @Test(arguments: [
    "1", "-0.5e+3", "\"\"", "\"\\u00e9 \\\" \\\\\"", "null", "true", " [ ] ", "{}", "[[],{}]",
    "{\"a\":{\"b\":[1,\"]\",null]},\"a\":2}", "[1 , 2]\n", "{\"\\u0061\" : 1}",
  ]) func aValueOfJSONIsOne(_ text: String) {
    #expect(isValue(text))
  }

  @Test(arguments: [
    "", " ", "1 2", "01", "1.", ".5", "+1", "0x10", "NaN", "nul", "True", "\"", "\"\\\"", "\"\\x\"",
    "\"\t\"", "'a'", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1}", "{", "{}}", "{a:1}", "{\"a\"}",
    "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "[1]]", "{\"a\":1}{", "1\0", "[\"a\":1]",
    "\"\\ud800\"",
  ]) func anotherTextIsNone(_ text: String) {
    #expect(!isValue(text))
  }

  @Test func aDeepValueNeedsNoStack() {
    let depth = 1_000_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(isValue(text) && !isValue(text, depth: 512))
    #expect(isValue("[{\"a\":[]}]", depth: 3) && !isValue("[{\"a\":[]}]", depth: 2))
  }

  /// The second opinion is Foundation's, which also reads a comma at the end of an array.
  @Test func randomTextsAreThoseThatFoundationReads() {
    var random = SeededRandom(29)
    let letters = Array("[[]]{}{},,::\"\"\"11-. \\n")
    var count = 0
    for _ in 0..<60_000 {
      let text = String(
        (0..<Int.random(in: 1...7, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      guard text.firstMatch(of: /,\s*\]/) == nil else { continue }
      let isRead =
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
        != nil
      #expect(isValue(text) == isRead, "\(text)")
      if isRead { count += 1 }
    }
    #expect(count > 500)
  }
}
