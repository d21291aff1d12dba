/// The row and the versions of an error with the code ``MagicError/Code/conflict``.
///
/// ```swift
/// let account = try await magic.object(of: Account.self, primary: id)
/// account.balance += 10
/// do {
///   try await magic.update(account)
/// } catch let error as MagicError where error.code == .conflict {
///   print(error.conflict?.version ?? 0, error.conflict?.storedVersion ?? 0)  // 1 2
/// }
/// ```
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
