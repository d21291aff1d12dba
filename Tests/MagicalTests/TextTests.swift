import Foundation
import Magical
import Testing

@Suite struct TextTests {
  @Test(arguments: [
    "", "a", "\0", "a\0b\0", "Grüße", "e\u{301}", "\u{e9}", "👩‍👩‍👧‍👦", "🇩🇪", "日本語", "\u{feff}bom",
    "\u{10ffff}", "\r\n\t", "'; DROP TABLE person; --", String(repeating: "ß", count: 10_000),
  ])
  func textIsReadByteForByte(_ text: String) throws {
    #expect(try StoredCell(storing: text) == .text([UInt8](text.utf8)))
    #expect(try Array(roundTrip(text).utf8) == Array(text.utf8))
  }

  @Test func textFromFoundationIsStoredAsUTF8() throws {
    let text = NSMutableString(string: "Grüße 👋") as NSString as String
    #expect(try StoredCell(storing: text) == .text("Grüße 👋"))
  }

  @Test(arguments: [
    [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xf0, 0x80, 0x80, 0x80],  // overlong
    [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],  // surrogates
    [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98],  // truncated
    [0x80], [0xbf, 0x41], [0xff], [0xfe], [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80],
  ])
  func invalidUTF8IsRefused(_ bytes: [UInt8]) {
    for before in ["", "a", "12345678", "1234567"] {
      let text = Array(before.utf8) + bytes
      #expect(throws: MagicalError.cannotDecode("the text is not valid UTF-8")) {
        try StoredCell.text(text).load(String.self)
      }
      #expect(throws: MagicalError.self) {
        try StoredCell.text(text + Array("12345678".utf8)).load(String.self)
      }
    }
  }

  @Test func theReplacementCharacterItselfIsValid() throws {
    #expect(try roundTrip("\u{fffd}") == "\u{fffd}")
  }

  @Test(arguments: [StoredCell.null, .integer(1), .real(1), .blob([65])])
  func anotherStorageClassIsNotAText(_ cell: StoredCell) {
    #expect(throws: MagicalError.self) { try cell.load(String.self) }
    #expect(throws: MagicalError.self) { try cell.load(URL.self) }
    #expect(throws: MagicalError.self) { try cell.load(UUID.self) }
  }

  @Test(arguments: [
    "https://example.org/a%20b?q=1#f", "file:///tmp/x%20y", "mailto:a@example.org", "relative/path",
  ])
  func aURLIsStoredAsItsAbsoluteString(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try StoredCell(storing: url) == .text(text))
    #expect(try roundTrip(url) == url)
  }

  @Test func textThatIsNotAURLIsRefused() {
    #expect(throws: MagicalError.cannotDecode("the text is not a URL")) {
      try StoredCell.text("").load(URL.self)
    }
    #expect(throws: MagicalError.self) { try StoredCell.text("http://[::1").load(URL.self) }
  }
}
