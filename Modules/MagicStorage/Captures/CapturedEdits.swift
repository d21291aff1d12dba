/// The edits of a lazy collection at the time of a save.
package struct CapturedEdits {
  /// The inserted members, without those that are removed again.
  package let inserted: RetainedObjects
  package let removed: RetainedObjects
  /// For each edit in order, whether it removes a member.
  package let removals: [Bool]

  package init<Member: Sendable>(_ edits: [LazyEdit<Member>], schema: _TypeLayout) {
    let all = RetainedArray(edits.map(\.member), schema: schema)
    var lastRemoval: [UInt: Int] = [:]
    for (index, edit) in edits.enumerated() {
      if case .remove = edit { lastRemoval[all[index].instanceKey] = index }
    }
    var (inserted, removed, removals): ([Member], [Member], [Bool]) = ([], [], [])
    for (index, edit) in edits.enumerated() {
      switch edit {
      case .insert(let member):
        if let last = lastRemoval[all[index].instanceKey], last > index { continue }
        inserted.append(member)
        removals.append(false)
      case .remove(let member):
        removed.append(member)
        removals.append(true)
      }
    }
    self.inserted = RetainedArray(inserted, schema: schema)
    self.removed = RetainedArray(removed, schema: schema)
    self.removals = removals
  }
}
