/// The secret that a request needs: 32 random bytes as hexadecimal digits.
struct AccessToken: Sendable {
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<32).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Compares in a time that does not depend on the position of the first difference.
  func matches(_ other: String) -> Bool {
    let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
