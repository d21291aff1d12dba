import CMagicRuntime
package import MagicRuntime
package import MagicSchema

/// The state of an open database, one for all its handles and connections.
///
/// A call asks once, where it enters, without a lock. Work that runs asks again where the user's code may
/// have forked, or where it may have been interrupted. Several conditions may hold at once: a damaged database can be suspended,
/// and a suspended one closed. ``state`` tells the one that decides.
package final class StoreLifecycle: Locked, @unchecked Sendable {
  @usableFromInline package let origin = ProcessOrigin()

  /// What holds, in the bits of the lock's free word: read without the lock, written under it.
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

  /// Whether the store belongs to the process that this one was forked from.
  @inlinable package var isForked: Bool { origin.isForked }

  /// Whether the store is closed. In the child of a fork it is not, and refuses calls for that reason.
  package var isClosed: Bool { !isForked && conditions.contains(.closed) }

  /// Whether the store is suspended, or about to be.
  @inlinable package var isSuspended: Bool {
    !conditions.isDisjoint(with: [.suspending, .suspended])
  }

  // MARK: Calls

  /// Asked where a call enters, before it takes a lock, and before a commit, as the user's code may
  /// have forked since.
  ///
  /// - Throws: `MagicError` with `.forked`.
  @inlinable
  package func checkNotForked() throws {
    if isForked { throw interruption() }
  }

  /// Asked where a call enters.
  ///
  /// - Throws: `MagicError` with `.closed` or `.suspended`.
  @inlinable
  package func checkAdmitsCalls() throws {
    if !conditions.subtracting(.damaged).isEmpty { try refuseCall() }
  }

  /// Asked by work that runs, before its result counts.
  ///
  /// - Throws: `MagicError` with `.suspended`.
  @inlinable
  package func checkNotSuspended() throws {
    if isSuspended { throw interruption() }
  }

  /// Asked by work that runs, after the user's code has, which may have forked.
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

  /// - Throws: `MagicError` with `.corrupt` where the file is damaged.
  package func checkWritable() throws {
    if conditions.contains(.damaged) { throw MagicError.damaged() }
  }

  // MARK: Changes

  /// The store is written no more until it is opened again: what is written to a damaged file may
  /// damage what is whole.
  package func noteDamage() { change { _ = $0.insert(.damaged) } }

  /// Admits no calls until ``resume()``.
  package func suspend() { change { _ = $0.insert(.suspending) } }

  /// The running calls have ended.
  package func didSuspend() {
    change { if $0.remove(.suspending) != nil { $0.insert(.suspended) } }
  }

  package func resume() { change { $0.subtract([.suspending, .suspended]) } }

  /// Admits no calls any more.
  ///
  /// - Returns: whether it did so until now. Only one call returns true.
  package func close() -> Bool { change { $0.insert(.closed).inserted } }

  @inlinable var bits: UnsafeMutablePointer<UInt32> {
    // The free word lies behind the lock.
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
