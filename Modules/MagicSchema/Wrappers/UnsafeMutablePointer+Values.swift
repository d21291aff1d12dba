public import Magical

extension UnsafeMutablePointer {
  /// The place of a value that must be there.
  @inlinable
  func unwrapped<Value>(_ property: PropertyReference) -> UnsafeMutablePointer<Value>
  where Pointee == Value? {
    guard pointee != nil else { Trap.unset(property) }
    // The payload of an optional is at its beginning.
    return UnsafeMutableRawPointer(self).assumingMemoryBound(to: Value.self)
  }

  /// The place of a primary value, with its type's default where there was none.
  @inlinable
  func assigned<Value: MagicalPrimaryValue>() -> Self where Pointee == Value? {
    if pointee == nil { pointee = Value.makePrimaryValue() ?? Value._unassigned }
    return self
  }
}
