import CMagicRuntime
package import MagicRuntime
package import MagicSchema

/// The state of an open database, shared by all its handles and connections.
///
/// A call checks the state once, when it starts, without a lock. Running work checks it again after
/// user code that may have forked the process, and at points where it may have been interrupted.
/// Several conditions can hold at the same time: a damaged database can be suspended, and a
/// suspended one can be closed. ``state`` returns the condition that has priority.
package final class StoreLifecycle: Locked, @unchecked Sendable {
  @usableFromInline package let origin = ProcessOrigin()

  /// The current conditions. They are stored in an unused word next to the lock. It is read without
  /// the lock, and written while the lock is held.
  @usableFromInline
  struct Conditions: OptionSet {
    @usableFromInline let rawValue: UInt32

    @usableFromInline init(rawValue: UInt32) { self.rawValue = rawValue }

    @usableFromInline static var damaged: Conditions { Conditions(rawValue: 1) }
    @usableFromInline static var suspending: Conditions { Conditions(rawValue: 2) }
    @usableFromInline static var suspended: Conditions { Conditions(rawValue: 4) }
    @usableFromInline static var closed: Conditions { Conditions(rawValue: 8) }
  }

  package override init() { super.init() }

  package var state: StoreState {
    if isForked { return .forked }
    let conditions = conditions
    if conditions.contains(.closed) { return .closed }
    if conditions.contains(.suspended) { return .suspended }
    if conditions.contains(.suspending) { return .suspending }
    return conditions.contains(.damaged) ? .damaged : .open
  }

  /// Whether the store belongs to the parent process of this forked process.
  @inlinable package var isForked: Bool { origin.isForked }

  /// Whether the store is closed. False in a forked child process, where calls throw `.forked`.
  package var isClosed: Bool { !isForked && conditions.contains(.closed) }

  /// Whether the store is suspended, or is being suspended.
  @inlinable package var isSuspended: Bool {
    !conditions.isDisjoint(with: [.suspending, .suspended])
  }

  // MARK: Calls

  /// Checks that this process was not forked after the store was opened. Called at the start of a
  /// call, before it acquires a lock, and before a commit, because user code may have forked the
  /// process in between.
  ///
  /// - Throws: `MagicError` with `.forked`.
  @inlinable
  package func checkNotForked() throws {
    if isForked { throw interruption() }
  }

  /// Checks that the store accepts calls. Called at the start of a call.
  ///
  /// - Throws: `MagicError` with `.closed` or `.suspended`.
  @inlinable
  package func checkAdmitsCalls() throws {
    if !conditions.subtracting(.damaged).isEmpty { try refuseCall() }
  }

  /// Checks that the store was not suspended. Called by running work before its result is used.
  ///
  /// - Throws: `MagicError` with `.suspended`.
  @inlinable
  package func checkNotSuspended() throws {
    if isSuspended { throw interruption() }
  }

  /// Checks that running work may continue. Called after user code, which may have forked the
  /// process.
  ///
  /// - Throws: `MagicError` with `.forked` or `.suspended`.
  @inlinable
  package func checkMayContinue() throws {
    if isForked || isSuspended { throw interruption() }
  }

  @inline(never)
  @usableFromInline
  func refuseCall() throws {
    if let refusal = state.refusal { throw refusal }
  }

  @inline(never)
  @usableFromInline
  func interruption() -> MagicError { isForked ? .forked() : .suspended() }

  /// - Throws: `MagicError` with `.corrupt` if the file is damaged.
  package func checkWritable() throws {
    if !isUndamaged { throw MagicError.damaged() }
  }

  /// Whether no damage of the file was found, so that it may be written.
  package var isUndamaged: Bool { !conditions.contains(.damaged) }

  // MARK: Changes

  /// Records that the file is damaged. The store refuses writes until it is opened again, because a
  /// write to a damaged file may damage intact parts.
  package func noteDamage() { change { _ = $0.insert(.damaged) } }

  /// Refuses calls until ``resume()``.
  package func suspend() { change { _ = $0.insert(.suspending) } }

  /// Records that the running calls have ended.
  package func didSuspend() {
    change { if $0.remove(.suspending) != nil { $0.insert(.suspended) } }
  }

  package func resume() { change { $0.subtract([.suspending, .suspended]) } }

  /// Refuses all calls from now on.
  ///
  /// - Returns: whether the store was not closed before. Only one call returns true.
  package func close() -> Bool { change { $0.insert(.closed).inserted } }

  @inlinable var bits: UnsafeMutablePointer<UInt32> {
    // The unused word follows the lock.
    UnsafeMutablePointer(OpaquePointer(header)) + 1
  }

  @inlinable var conditions: Conditions { Conditions(rawValue: magic_bits_load(bits)) }

  @discardableResult
  private func change<Result>(_ body: (inout Conditions) -> Result) -> Result {
    withLock {
      var conditions = conditions
      let result = body(&conditions)
      magic_bits_store(bits, conditions.rawValue)
      return result
    }
  }
}
