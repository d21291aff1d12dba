import MagicTestSupport
import Magical
import Testing

@Suite struct UTF8ValidationTests {
  private func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { UTF8Validation.isValid($0) }
  }

  @Test func noBytesAreValid() {
    #expect(isValid([]))
    #expect(UTF8Validation.isValid(UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  @Test func itAgreesWithTheStandardLibraryOnRandomBytes() {
    var random = SeededRandom(8)
    // Bytes near the bounds of the ranges of the encoding, between ASCII bytes.
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
    var random = SeededRandom(9)
    let text = Array("Grüße, 日本語 and 👩‍👩‍👧‍👦: plain text that goes on for a while".utf8)
    for _ in 0..<5_000 {
      var bytes = text
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }
}
