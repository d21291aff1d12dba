package import MagicSchema

extension ObjectCollection {
  package static var empty: Self { Self(members: [], keys: makeKeys(), start: 0) }

  /// Returns a collection in memory after edits. An edit that removes the members that match a
  /// condition has no effect, because only the database can evaluate it.
  package func applying(_ edits: [LazyEdit<Member>]) -> Self {
    let start = edits.lastIndex { if case .removeAll = $0 { true } else { false } }
    let content = start == nil ? self : Self.empty
    let edits = edits[(start ?? 0)...]
    return switch Self.linkKind {
    case .dictionary: content.applyingToKeys(edits)
    case .set: content.applyingToSet(edits)
    case .list: content.applyingToList(edits)
    }
  }

  private func applyingToKeys(_ edits: ArraySlice<LazyEdit<Member>>) -> Self {
    var content = self
    for edit in edits {
      if let key = edit.key { content.setMember(edit.member, forKey: key) }
    }
    return content
  }

  private func applyingToSet(_ edits: ArraySlice<LazyEdit<Member>>) -> Self {
    var members = MagicalSet(distinct: membersAndKeys.members)
    for edit in edits {
      if case .insert(let member) = edit { members.insert(member) }
      if case .remove(let member) = edit { members.remove(member) }
    }
    return Self(members: Array(members), keys: nil, start: 0)
  }

  private func applyingToList(_ edits: ArraySlice<LazyEdit<Member>>) -> Self {
    var members = membersAndKeys.members
    // The array is searched once for consecutive removals.
    var removed = MagicalSet<Member>()
    for edit in edits {
      if case .insert(let member) = edit {
        if !removed.isEmpty { members.removeAll { removed.contains($0) } }
        removed = []
        members.append(member)
      }
      if case .remove(let member) = edit { removed.insert(member) }
    }
    if !removed.isEmpty { members.removeAll { removed.contains($0) } }
    return Self(members: members, keys: nil, start: 0)
  }
}
