import MagicRuntime
package import Magical

extension PropertyReference {
  /// Whether the property is a relationship that was not loaded with its object, and neither set nor
  /// loaded since then.
  package func isExcluded(_ packing: _MagicalPacking) -> Bool {
    withExtendedLifetime(storage) {
      existingBox(packing).map { box in box.withLock { box.isExcluded } } ?? false
    }
  }
}
