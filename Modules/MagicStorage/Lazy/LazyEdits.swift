import MagicRuntime

/// The edits of a lazy collection, whose members are in a row, independent of their type.
package class AnyLazyEdits: AnyLazyBox, @unchecked Sendable {}

/// The edits of a lazy collection that are not saved yet, in order. The members are in the row of
/// the owner. The version is the number of all edits, including saved ones.
package final class LazyEdits<Member: Sendable>: AnyLazyEdits, @unchecked Sendable {
  @exclusivity(unchecked) private var stored: Edits?
  /// The number of edits that were saved and removed.
  @exclusivity(unchecked) private var savedCount: UInt = 0
  /// The property that has the collection.
  private weak var owner: LazyPropertyBox?

  private final class Edits {
    var list: [LazyEdit<Member>]?

    init(_ list: [LazyEdit<Member>]) { self.list = list }

    deinit { DeferredRelease.release(&list) }
  }

  init(of owner: LazyPropertyBox) {
    self.owner = owner
    super.init()
  }

  package func isOwned(by property: LazyPropertyBox) -> Bool { owner === property }

  /// Returns whether the edits were added: not if they were moved to the row.
  func append(_ edits: [LazyEdit<Member>]) -> Bool {
    withLock {
      for edit in edits {
        guard incrementVersion() else { return false }
        if let stored { stored.list?.append(edit) } else { stored = Edits([edit]) }
      }
      return true
    }
  }

  /// The edits after a version, and the current version.
  package func edits(after version: UInt?) -> (edits: [LazyEdit<Member>], version: UInt) {
    withLock {
      let saved = max(version ?? 0, savedCount) - savedCount
      return (Array((stored?.list ?? []).dropFirst(Int(saved))), storedVersionInLock)
    }
  }

  override func takeContent() -> AnyObject? {
    defer { stored = nil }
    return stored
  }

  override func takeSaved(_ version: UInt) -> AnyObject? {
    guard let stored, version > savedCount else { return nil }
    self.stored = Edits(Array((stored.list ?? []).dropFirst(Int(version - savedCount))))
    savedCount = version
    return stored
  }
}

extension LazyPropertyBox {
  /// Adds edits of the collection in the row.
  ///
  /// - Returns: false if the collection is not in the row.
  package func edit<Member>(_ edits: [LazyEdit<Member>]) -> Bool {
    withLock {
      switch savedState {
      case .given(.box(let box)):
        return (box as? LazyEdits<Member>).map { $0.isOwned(by: self) && $0.append(edits) } ?? false
      case .row:
        let new = LazyEdits<Member>(of: self)
        _ = new.append(edits)
        if savedValue == nil { keepSavedCopy() }
        _ = replace(.given(.box(new)))
        return true
      case .null, .given(.place): return false
      }
    }
  }
}
