package import MagicSchema

extension ObjectCollection {
  package static var empty: Self { Self(members: [], keys: makeKeys(), start: 0) }

  /// Returns an array or a set after edits. The members of a dictionary are not edited.
  package func applying(_ edits: [LazyEdit<Member>]) -> Self {
    switch Self.linkKind {
    case .dictionary: return self
    case .set:
      var members = MagicalSet(distinct: membersAndKeys.members)
      for edit in edits {
        switch edit {
        case .insert(let member): members.insert(member)
        case .remove(let member): members.remove(member)
        }
      }
      return Self(members: Array(members), keys: nil, start: 0)
    case .list:
      var members = membersAndKeys.members
      // The array is searched once for consecutive removals.
      var removed = MagicalSet<Member>()
      for edit in edits {
        switch edit {
        case .insert(let member):
          if !removed.isEmpty { members.removeAll { removed.contains($0) } }
          removed = []
          members.append(member)
        case .remove(let member): removed.insert(member)
        }
      }
      if !removed.isEmpty { members.removeAll { removed.contains($0) } }
      return Self(members: members, keys: nil, start: 0)
    }
  }
}
