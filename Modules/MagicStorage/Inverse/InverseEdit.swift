package import MagicRuntime

/// An edit of an inverse relationship that is not saved yet. The relationship belongs to another
/// object, the owner. The edit is made when the object with the inverse relationship is saved,
/// because only then is that object at hand.
package final class InverseEdit: Locked, @unchecked Sendable {
  /// The object whose relationship is edited.
  package let owner: RetainedObjects
  /// Edits the relationship of the owner in memory. Nil after that.
  @exclusivity(unchecked) private var change: Change?

  /// A change of a relationship.
  ///
  /// - Parameters:
  ///   - object: the object that the relationship refers to.
  ///   - owner: the object that has the relationship.
  package typealias Change = @Sendable (_ object: ObjectReference, _ owner: ObjectReference) -> Void

  package init(of owner: RetainedObjects, _ change: @escaping Change) {
    self.owner = owner
    self.change = change
    super.init()
  }

  /// Edits the relationship in memory, once: after a rollback the owner still has the edit.
  ///
  /// - Parameter object: the object with the inverse relationship.
  package func apply(to object: ObjectReference) {
    let change = withLock { () -> Change? in
      let waiting = self.change
      self.change = nil
      return waiting
    }
    change?(object, owner[0])
  }
}

/// The edits of one inverse relationship, in order. Immutable.
private final class InverseEdits: AnyPropertyBox {
  private(set) var list: [InverseEdit]?

  init(_ list: [InverseEdit]) {
    self.list = list
    super.init(isChanged: false, line: 0)
  }

  // Objects that refer to each other through edits can form a chain of any length.
  deinit { DeferredRelease.release(&list) }
}

/// The edits are where other boxes have the saved value, which an inverse relationship does not have.
extension ReversePropertyBox {
  package var hasEdits: Bool { withLock { savedKind != SavedKind.none } }

  package var edits: [InverseEdit] { withLock { editsInLock } }

  private var editsInLock: [InverseEdit] { (savedValue?.box as? InverseEdits)?.list ?? [] }

  package func add(_ edit: InverseEdit) { change { $0.append(edit) } }

  /// Removes edits that were saved.
  package func remove(_ saved: [InverseEdit]) {
    let saved = Set(saved.map(ObjectIdentifier.init))
    change { edits in edits.removeAll { saved.contains(ObjectIdentifier($0)) } }
  }

  package func removeEdits() { change { $0.removeAll() } }

  private func change(_ body: (inout [InverseEdit]) -> Void) {
    // The old edits are released after unlocking.
    let old = withLock { () -> (SavedValue?, [InverseEdit]) in
      let before = editsInLock
      var edits = before
      body(&edits)
      let old = takeSavedValue()
      if !edits.isEmpty { savedValue = .box(InverseEdits(edits)) }
      return (old, before)
    }
    withExtendedLifetime(old) {}
  }
}

extension PropertyReference {
  /// The box of an inverse relationship, if it has one.
  package var reverseBox: ReversePropertyBox? {
    if isBox { return storage as? ReversePropertyBox }
    return withExtendedLifetime(storage) {
      row.existingRecord?.box(at: column) as? ReversePropertyBox
    }
  }

  /// Returns the box of an inverse relationship, which is created if it does not exist.
  package func reverseBoxForChange(_ relationship: any AnyObject & Sendable) -> ReversePropertyBox?
  {
    if isBox { return storage as? ReversePropertyBox }
    return withExtendedLifetime(storage) {
      row.record.install(ReversePropertyBox(relationship), at: column) as? ReversePropertyBox
    }
  }
}
