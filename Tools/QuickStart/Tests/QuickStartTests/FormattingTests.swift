import Testing

@testable import QuickStart

@Suite struct FormattingTests {
  @Test func thousandsHaveSeparators() {
    #expect(
      [0, 999, 1000, 63440, -1_234_567].map(\.grouped) == [
        "0", "999", "1,000", "63,440", "-1,234,567",
      ])
  }

  @Test func sizesHaveAnAppropriateUnit() {
    #expect(
      [0, 1023, 1024, 1536, 1_048_576].map(\.kibibytes) == [
        "0 KiB", "1,023 KiB", "1.0 MiB", "1.5 MiB", "1.0 GiB",
      ])
    #expect(Int.max.kibibytes == "8,589,934,592.0 TiB")
    #expect([0, 1, 1023, 2048].map(\.byteCount) == ["0 bytes", "1 byte", "1,023 bytes", "2 KiB"])
  }

  @Test func durationsHaveAnAppropriateUnit() {
    #expect(
      [0.0004, 0.0123, 0.5, 1, 61.239].map(\.duration) == [
        "0.4 ms", "12 ms", "500 ms", "1.00 s", "61.24 s",
      ])
  }

  @Test func controlCharactersDoNotReachTheTerminal() {
    #expect("a\u{1B}[2Jb\u{202E}c\r\nd".printable == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}\u{FFFD}d")
    #expect("Jörg 🐟".printable == "Jörg 🐟")
  }

  @Test func aLongTextEndsInAnEllipsis() {
    #expect("package".shortened(to: 7) == "package")
    #expect("packages".shortened(to: 7) == "packag…")
  }
}
