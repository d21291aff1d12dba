import MagicRuntime

extension ObjectSchema {
  /// What a type's relationships lead to, found out when the type is first used.
  package struct Reach: Sendable {
    /// Whether an object comes with others.
    package let hasRelationships: Bool
    /// Whether an object can lead back to one of its own type.
    package let isCyclic: Bool
    /// Whether any type that is reached, or this one, is cyclic.
    package let reachesCycle: Bool
  }

  final class Resolution: Locked, @unchecked Sendable {
    var reach: Reach?
  }

  /// - Throws: `MagicError` with `.invalidSchema` where a type that is reached cannot be stored as
  ///   it is declared, or a reverse property leads along no relationship to this type.
  package var reach: Reach {
    get throws {
      if let known = resolution.withLock({ resolution.reach }) { return known }
      let (reach, graphTargets) = try resolve()
      return resolution.withLock {
        if let known = resolution.reach { return known }
        for (toOne, stays) in zip(toOnes, graphTargets) { toOne.schema.staysInGraph = stays }
        for (column, stays) in zip(collections, graphTargets.dropFirst(toOnes.count)) {
          column.staysInGraph = stays
        }
        resolution.reach = reach
        return reach
      }
    }
  }

  /// The types that relationships lead to, in the order of `toOnes`, then `collections`.
  package var targets: [ObjectSchema] {
    get throws { try toOnes.map { try $0.schema.target } + collections.map { try $0.target } }
  }

  /// - Returns: besides, for each relationship whether it stays in the graph of its owner.
  private func resolve() throws -> (Reach, [Bool]) {
    let reached = try reachedTypes()
    let isCyclic = reached.contains { $0 === self }
    let reachesCycle = try isCyclic || reached.contains { try $0.reachesItself() }
    for reverse in reverses { try checkReverse(reverse) }
    let reach = Reach(
      hasRelationships: !reached.isEmpty, isCyclic: isCyclic, reachesCycle: reachesCycle)
    return (reach, try targets.map { try isCyclic && $0.reachesItself() })
  }

  private func reachesItself() throws -> Bool { try reachedTypes().contains { $0 === self } }

  /// The types that one or more steps lead to.
  private func reachedTypes() throws -> [ObjectSchema] {
    var reached: [ObjectSchema] = []
    var waiting = try targets
    while let next = waiting.popLast() {
      guard !reached.contains(where: { $0 === next }) else { continue }
      reached.append(next)
      waiting += try next.targets
    }
    return reached
  }

  private func checkReverse(_ reverse: ReverseProperty) throws {
    let (_, property) = try reverse.relationship.resolved()
    let target: ObjectSchema
    switch property {
    case let toOne as ToOneColumn: target = try toOne.target
    case let collection as CollectionColumn: target = try collection.target
    default: return
    }
    guard target === self else {
      throw MagicError(
        .invalidSchema,
        "A reverse property names a relationship that leads to \(target.typeName), not to this "
          + "type.", type: typeName, property: reverse.property)
    }
  }
}
