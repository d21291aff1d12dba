/// The form of a word in the table of words.
///
/// An index of PostgreSQL cannot contain values of more than about 2,700 bytes. A longer word is
/// replaced by its beginning and a hash.
enum SearchKey {
  /// The number of bytes of a word that the key contains.
  static let limit = 1_000
  /// The number of bytes of a word that FTS5 indexes.
  private static let wordLimit = 32_768

  /// Returns the key of a word.
  static func key(of word: some Collection<UInt8>) -> [UInt8] {
    guard word.count > limit else { return Array(word) }
    // 128 bits of FNV-1a.
    var (high, low): (UInt64, UInt64) = (0x6c62_272e_07bb_0142, 0x62b8_2175_6295_c58d)
    for byte in word.prefix(wordLimit) {
      low ^= UInt64(byte)
      // The prime is 2⁸⁸ + 315.
      let product = low.multipliedFullWidth(by: 0x13b)
      high = high &* 0x13b &+ product.high &+ (low << 24)
      low = product.low
    }
    return word.prefix(limit) + bytes(high) + bytes(low)
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Returns the key after those of all words that begin with a word; nil if there is none.
  static func end(ofPrefix word: some Collection<UInt8>) -> [UInt8]? {
    var end = Array(word.prefix(limit))
    while let last = end.popLast() {
      if last < 0xFF { return end + [last + 1] }
    }
    return nil
  }
}
