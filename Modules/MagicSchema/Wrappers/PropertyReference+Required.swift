public import Magical

/// The values of properties that must have one. Each getter of a wrapper is one call, so that closures
/// that read properties stay small enough to be inlined.
extension PropertyReference {
  /// Returns the value; ends the process if it was never set.
  @inlinable @inline(never)
  func value<Value: Magical & Sendable>(_ type: Value.Type) -> Value {
    guard let value = loadInline(type) else { return Trap.value(whereUnset: self) }
    return value
  }

  /// Returns the value of a primary, which is created when it is first read; ends the process if it was
  /// never set and the type has no default value.
  @inlinable @inline(never)
  func primaryValue<Value: MagicalPrimaryValue>(_ type: Value.Type) -> Value {
    if let value = loadInline(type) { return value }
    guard let value = assignDefaultPrimary(type) ?? Value._unassigned else { Trap.unset(self) }
    return value
  }
}
