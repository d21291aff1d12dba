import MagicData
import MagicRuntime

/// Objects that are never let go of: what grows so must be found.
final class Kept: Locked, @unchecked Sendable {
  static let shared = Kept()
  private var crates: [Crate] = []

  override private init() { super.init() }

  func add(_ some: [Crate]) { withLock { crates += some } }
}
