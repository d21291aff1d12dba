import MagicInspection
import Testing

/// A quote with a combining mark is one character of two scalars.
@Suite struct QuotedTextTests {
  @Test func quotesWithCombiningMarksAreDoubled() {
    #expect(scalars("a\"\u{301}b".quoted) == scalars("\"a\"\"\u{301}b\""))
    #expect(
      scalars(CSVText.line(["a\"\u{301},b", "c"])) == scalars("\"a\"\"\u{301},b\",c\n"))
  }

  @Test func aMarkOfDirectionIsEscapedInJSON() {
    let text = JSONNode.string("a\u{61C}b").text()
    #expect(text.lowercased() == "\"a\\u061cb\"")
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
