import CMagicRuntime

/// The layout of the type that a relationship refers to, after it was looked up. Each save of an
/// object uses it. It does not name the schema, because schemas are made of columns.
final class KnownLayout: @unchecked Sendable {
  /// Memory of its own: threads access it at the same time, with atomic operations only.
  private let slot: UnsafeMutablePointer<UnsafeRawPointer?>

  init() {
    slot = .allocate(capacity: 1)
    slot.initialize(to: nil)
  }

  deinit { slot.deallocate() }

  /// The layout; nil before the first ``keep(_:)``.
  var layout: _TypeLayout? {
    magic_pointer_load(slot).map { Unmanaged<_TypeLayout>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Parameter layout: a layout that the registry of all schemas keeps.
  func keep(_ layout: _TypeLayout) {
    _ = magic_pointer_install(slot, Unmanaged.passUnretained(layout).toOpaque())
  }
}
