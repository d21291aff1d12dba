/// The row and the versions of an error with the code ``MagicError/Code/conflict``.
public struct MagicConflict: Hashable, Sendable {
  /// The row ID of the object's row.
  public let zIndex: ZIndex
  /// The version that the object had when it was fetched or saved last.
  public let version: Int
  /// The version of the stored row.
  public let storedVersion: Int

  package init(zIndex: ZIndex, version: Int, storedVersion: Int) {
    (self.zIndex, self.version, self.storedVersion) = (zIndex, version, storedVersion)
  }
}
