import MagicEngine
import MagicSchema

/// New objects of which only the assigned properties are written.
extension ObjectTransaction {
  /// Whether the current call merges an object, if it is new, into its stored row.
  @inline(__always)
  func merges(_ object: ObjectReference, isRoot: Bool) -> Bool {
    guard rules.mayMerge else { return false }
    return isRoot && rules.existing == .merge || rules.merges.contains(object.instanceKey)
  }

  /// Returns the ID of the stored row that a new object updates, where it must be known before the
  /// object is captured.
  ///
  /// - Parameter targets: the row IDs that its to-one relationships refer to, by column.
  @inline(__always)
  func rowToUpdate(
    of object: ObjectReference, isRoot: Bool, targets: [Int64?] = []
  ) throws -> Int64? {
    if isMatched(object, isRoot: isRoot),
      let row = try matchedRow(of: object, isRoot: isRoot, targets: targets)
    {
      return row
    }
    return merges(object, isRoot: isRoot) ? try storedRow(of: object) : nil
  }

  /// Returns the row that a new object is merged into, before its to-one relationships are
  /// captured. Nil if the row is found by one of them that refers to an object without a row.
  func rowToMerge(_ object: ObjectReference) throws -> Int64? {
    let columns = rules.matched.isEmpty ? object.schema.key : rules.matched
    let links = columns.filter { object.schema.plans[$0].codec == .link }
    guard !links.isEmpty else { return try rowToUpdate(of: object, isRoot: true) }
    if hasUnconfirmedRows { try flush() }
    var targets = [Int64?](repeating: nil, count: object.schema.columns.count)
    for toOne in object.schema.toOnes where links.contains(toOne.column) {
      let link = try toOne.schema.capture(object.property(toOne.column)) { _ in }
      guard case .row(let row)? = graph?.target(of: link) else { return nil }
      targets[toOne.column] = row
    }
    return try rowToUpdate(of: object, isRoot: true, targets: targets)
  }

  /// Whether a property of a merged object was not assigned, and keeps its stored value.
  func keepsStored(_ property: PropertySchema, of object: ObjectReference) -> Bool {
    !merged.isEmpty && merged[object.instanceKey]?.contains(property.property) == true
  }

  /// Records which properties of an object keep their stored values.
  ///
  /// - Returns: whether a collection was assigned.
  func noteMerged(_ object: ObjectReference) -> Bool {
    let schema = object.schema
    var (names, changesMembers) = (Set<String>(), false)
    for slot in 0..<schema.layout.slotCount {
      if slot != schema.primary, object.isAssigned(slot) {
        if slot >= schema.columns.count { changesMembers = true }
      } else {
        names.insert(schema.stored(at: slot).property)
      }
    }
    merged[object.instanceKey] = names
    return changesMembers
  }
}

extension ObjectReference {
  /// Whether the program has given a column or collection of a new object a value. An asset without
  /// content is none: the `init()` of a type assigns it.
  func isAssigned(_ slot: Int) -> Bool {
    let description = schema.stored(at: slot)
    guard description.isAssigned(property(slot)) else { return false }
    return (description as? any FileContentColumn)?.hasContent(property(slot)) ?? true
  }
}

/// A column of assets.
private protocol FileContentColumn {
  /// Whether a property is nil, or an asset with content.
  func hasContent(_ property: PropertyReference) -> Bool
}

extension FileColumn: FileContentColumn {
  func hasContent(_ property: PropertyReference) -> Bool {
    property.load(Value.self).map { $0.content != nil } ?? true
  }
}
