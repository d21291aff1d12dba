import Foundation

/// Whether dictionaries of objects with keys of a type store the keys as JSON, although the type is
/// `Magical`: it was not when the first files were written.
package func hasJSONKeys(_ type: Any.Type) -> Bool {
  if type is CGFloat.Type { return true }
  guard #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) else { return false }
  return type is Duration.Type
}
