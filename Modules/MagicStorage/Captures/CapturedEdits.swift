package import MagicBase

/// The edits of a lazy collection at the time of a save.
package struct CapturedEdits {
  /// An edit. The objects of ``insert`` and ``setValue(forKey:)`` are in ``CapturedEdits/inserted``,
  /// those of ``remove`` in ``CapturedEdits/removed``, in order.
  package enum Step {
    case insert
    case remove
    case setValue(forKey: any LinkKeys)
    case removeValue(forKey: any LinkKeys)
    case removeAll
    case removeMatching(any MemberFilter)
  }

  /// The inserted members, without those that are removed or replaced again.
  package let inserted: RetainedObjects
  package let removed: RetainedObjects
  package let steps: [Step]

  package init<Member: Sendable>(_ edits: [LazyEdit<Member>], schema: _TypeLayout) {
    let edits = Self.effective(edits)
    let all = RetainedArray(edits.compactMap(\.member), schema: schema)
    // The key of the object of each edit; 0 for an edit without an object.
    var (instances, next) = ([UInt](), 0)
    var lastRemoval: [UInt: Int] = [:]
    for (index, edit) in edits.enumerated() {
      instances.append(edit.member == nil ? 0 : all[next].instanceKey)
      if edit.member != nil { next += 1 }
      if case .remove = edit { lastRemoval[instances[index]] = index }
    }
    var (inserted, removed, steps): ([Member], [Member], [Step]) = ([], [], [])
    for (index, edit) in edits.enumerated() {
      switch edit {
      case .insert(let member):
        if let last = lastRemoval[instances[index]], last > index { continue }
        inserted.append(member)
        steps.append(.insert)
      case .remove(let member):
        removed.append(member)
        steps.append(.remove)
      case .setValue(let member, let key):
        inserted.append(member)
        steps.append(.setValue(forKey: key))
      case .removeValue(let key): steps.append(.removeValue(forKey: key))
      case .removeAll: steps.append(.removeAll)
      case .removeMatching(let filter): steps.append(.removeMatching(filter))
      }
    }
    self.inserted = RetainedArray(inserted, schema: schema)
    self.removed = RetainedArray(removed, schema: schema)
    self.steps = steps
  }

  /// Returns the edits without those before the last removal of all members, and of each key only
  /// the last edit.
  private static func effective<Member: Sendable>(
    _ edits: [LazyEdit<Member>]
  ) -> [LazyEdit<Member>] {
    let start = edits.lastIndex { if case .removeAll = $0 { true } else { false } } ?? 0
    let edits = Array(edits[start...])
    guard let keys = LazyEdit.keys(of: edits[...]) else { return edits }
    let last = keys.storedPlaces(of: keys)
    var place = -1
    return edits.filter { edit in
      guard edit.key != nil else { return true }
      place += 1
      return last[place] == place
    }
  }
}
