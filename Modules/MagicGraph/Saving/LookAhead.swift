import MagicEngine

/// What a transaction needs to look up the stored rows of new objects before they are captured.
final class LookAhead {
  /// The rows that were looked up.
  @exclusivity(unchecked) var rows = LookedUpRows()
  /// The values of the objects that are looked up.
  lazy var values = FieldBuffer()
  /// The objects that the call names, and the index of the first one that is not captured yet.
  @exclusivity(unchecked) var roots: SavedRoots?
  @exclusivity(unchecked) var nextRoot = 0
}
