import Foundation
import Magical

/// A value with an object whose deinitialisation is counted.
struct Tracked: Magical, Sendable {
  private let token: Token

  private final class Token: Sendable {
    let number: Int64
    init(_ number: Int64) {
      self.number = number
      Ledger.shared.add(1, to: number)
    }
    deinit { Ledger.shared.add(-1, to: number) }
  }

  init(_ number: Int64) { token = Token(number) }

  var storedValue: Int64 { token.number }
  init(storedValue: Int64) throws {
    guard storedValue >= 0 else { throw MagicalError.cannotDecode("the number is negative") }
    self.init(storedValue)
  }
}

/// The number of existing tokens of each number.
final class Ledger: @unchecked Sendable {
  static let shared = Ledger()
  private let lock = NSLock()
  private var counts: [Int64: Int] = [:]

  func add(_ count: Int, to number: Int64) { lock.withLock { counts[number, default: 0] += count } }
  func count(_ number: Int64) -> Int { lock.withLock { counts[number, default: 0] } }
}
