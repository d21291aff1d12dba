import MagicEngine
import MagicGraph
import MagicSchema

/// Lookups of one member of a collection whose edits are not saved yet. The last edit of the member
/// decides; without one, the row does.
extension EngineReader {
  /// Returns whether a row's collection with edits contains an object.
  func hasMember<Model: MagicObject>(
    _ object: Model, of row: LazyRow, applying edits: [LazyEdit<Model>]
  ) throws -> Bool {
    let identity = try MemberIdentity(of: object, for: self)
    guard !edits.isEmpty else { return try hasMember(identity, of: row) }
    return try inSnapshot {
      for edit in edits.reversed() {
        switch edit {
        case .insert(let member):
          if try MemberIdentity(of: member, for: self) == identity { return true }
        case .remove(let member):
          if try MemberIdentity(of: member, for: self) == identity { return false }
        case .removeAll: return false
        case .removeMatching(let filter):
          if try matches(object, filter) { return false }
        case .setValue, .removeValue: continue
        }
      }
      return try hasMember(identity, of: row)
    }
  }

  private func hasMember(_ identity: MemberIdentity, of row: LazyRow) throws -> Bool {
    guard let index = row.collectionIndex, let rowID = identity.row else { return false }
    return try hasMember(rowID, of: row.zIndex, in: index, of: row.owner)
  }

  /// Returns the member of a key of a row's dictionary with edits.
  func member<Model: MagicObject>(
    forKey key: any LinkKeys, of row: LazyRow, applying edits: [LazyEdit<Model>]
  ) throws -> Model? {
    try inSnapshot {
      var filters: [any MemberFilter] = []
      for edit in edits.reversed() {
        switch edit {
        case .setValue(let member, let other) where other.hasKey(key):
          return try filters.contains { try matches(member, $0) } ? nil : member
        case .removeValue(let other) where other.hasKey(key): return nil
        case .removeAll: return nil
        case .removeMatching(let filter): filters.append(filter)
        case .insert, .remove, .setValue, .removeValue: continue
        }
      }
      let schema = try ObjectSchema.of(Model.self)
      guard let index = row.collectionIndex,
        let rowID = try member(forKey: key, of: row.zIndex, in: index, of: row.owner),
        try !filters.contains(where: { try !rows([rowID], of: schema, matching: $0).isEmpty })
      else { return nil }
      return try object(of: Model.self, schema, row: rowID)
    }
  }

  private func matches<Model: MagicObject>(
    _ object: Model, _ filter: any MemberFilter
  ) throws -> Bool {
    guard let row = try MemberIdentity(of: object, for: self).row else { return false }
    return try !rows([row], of: ObjectSchema.of(Model.self), matching: filter).isEmpty
  }
}

extension LinkKeys {
  /// Whether the only key of this list is that of another one.
  fileprivate func hasKey(_ key: any LinkKeys) -> Bool {
    storedPlaces(of: key) == [0]
  }
}
