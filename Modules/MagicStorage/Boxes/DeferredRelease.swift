import CMagicRuntime

/// Releases nested values without recursion: a value below a depth limit is released after the
/// values above it. Releasing a long chain of values would otherwise overflow the stack.
enum DeferredRelease {
  private static let depthLimit: UInt32 = 24

  @inline(__always)
  static func release<Value>(_ value: inout Value?) {
    guard value != nil else { return }
    let state = magic_thread_deferred_release()
    guard state.pointee.depth < depthLimit else {
      let waiting = WaitingValue(value, next: state.pointee.waiting)
      state.pointee.waiting = Unmanaged.passRetained(waiting as Waiting).toOpaque()
      value = nil
      return
    }
    state.pointee.depth += 1
    clear(&value)
    leave(state)
  }

  private static func leave(_ state: UnsafeMutablePointer<magic_deferred_release>) {
    if state.pointee.depth == 1 {
      while let waiting = state.pointee.waiting {
        let first = Unmanaged<Waiting>.fromOpaque(waiting)
        state.pointee.waiting = first._withUnsafeGuaranteedRef { $0.next }
        drop(first)
      }
    }
    state.pointee.depth -= 1
  }

  // Never inlined: the optimiser could otherwise move the release to a point after the depth is
  // decremented.
  @inline(never)
  private static func clear<Value>(_ value: inout Value?) { value = nil }

  @inline(never)
  private static func drop(_ waiting: Unmanaged<Waiting>) { waiting.release() }

  private class Waiting {
    let next: UnsafeMutableRawPointer?

    init(next: UnsafeMutableRawPointer?) { self.next = next }
  }

  private final class WaitingValue<Value>: Waiting {
    private let value: Value?

    init(_ value: Value?, next: UnsafeMutableRawPointer?) {
      self.value = value
      super.init(next: next)
    }
  }
}
