import MagicData
import MagicRuntime

/// A flaw: objects that are never released. The growth of memory must be found.
final class LeakedObjects: Locked, @unchecked Sendable {
  static let shared = LeakedObjects()
  private var crates: [Crate] = []

  override private init() { super.init() }

  func add(_ some: [Crate]) { withLock { crates += some } }
}
