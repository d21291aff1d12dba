public import Magical

extension UnsafeMutablePointer {
  /// Returns a pointer to the value. The process ends if there is no value.
  @inlinable
  func unwrapped<Value>(_ property: PropertyReference) -> UnsafeMutablePointer<Value>
  where Pointee == Value? {
    guard pointee != nil else { Trap.unset(property) }
    // The payload of an optional begins at offset 0.
    return UnsafeMutableRawPointer(self).assumingMemoryBound(to: Value.self)
  }

  /// Assigns the default primary value of the type if there is no value, and returns the pointer.
  @inlinable
  func assigned<Value: MagicalPrimaryValue>() -> Self where Pointee == Value? {
    if pointee == nil { pointee = Value.makePrimaryValue() ?? Value._unassigned }
    return self
  }
}
