import Foundation
import Magical
import Testing

@Suite struct TextTests {
  @Test(arguments: [
    "", "a", "\0", "a\0b\0", "Grüße", "e\u{301}", "\u{e9}", "👩‍👩‍👧‍👦", "🇩🇪", "日本語", "\u{feff}bom",
    "\u{10ffff}", "\r\n\t", "'; DROP TABLE person; --", String(repeating: "ß", count: 10_000),
  ])
  func textComesBackByteForByte(_ text: String) throws {
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
    [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98],  // cut off
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
  func anotherStorageClassIsNoText(_ cell: StoredCell) {
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

  @Test func textThatIsNoURLIsRefused() {
    #expect(throws: MagicalError.cannotDecode("the text is not a URL")) {
      try StoredCell.text("").load(URL.self)
    }
    #expect(throws: MagicalError.self) { try StoredCell.text("http://[::1").load(URL.self) }
  }
}

@Suite struct UTF8ValidationTests {
  private func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { UTF8Validation.isValid($0) }
  }

  @Test func noBytesAreValid() {
    #expect(isValid([]))
    #expect(UTF8Validation.isValid(UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  @Test func itAgreesWithTheStandardLibraryOnRandomBytes() {
    var random = SeededGenerator(seed: 8)
    // Bytes near the borders of the encoding's ranges, among plain ones.
    let borders: [UInt8] = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
      0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ]
    var valid = 0
    for _ in 0..<50_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Bool.random(using: &random) ? 0x41 : borders.randomElement(using: &random)!
      }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      if expected { valid += 1 }
      #expect(isValid(bytes) == expected, "\(bytes)")
    }
    #expect(valid > 1_000)
  }

  @Test func itAgreesWithTheStandardLibraryOnDamagedText() {
    var random = SeededGenerator(seed: 9)
    let text = Array("Grüße, 日本語 and 👩‍👩‍👧‍👦: plain text that goes on for a while".utf8)
    for _ in 0..<5_000 {
      var bytes = text
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }
}
