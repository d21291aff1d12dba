import MagicRuntime

extension ObjectSchema {
  /// What a type's relationships refer to, found out when the type is first used.
  package struct Reach: Sendable {
    /// Whether an object is saved with others.
    package let hasRelationships: Bool
    /// Whether an object can refer back to one of its own type.
    package let isCyclic: Bool
    /// What is true of relationships that are fetched with their objects.
    package let fetched: Fetched

    package struct Fetched: Sendable {
      /// Whether an object comes with others.
      package let hasRelationships: Bool
      /// Whether an object can come with one of its own type.
      package let isCyclic: Bool
      /// Whether any type that comes with it, or this one, is cyclic.
      package let reachesCycle: Bool
      /// The collection that is all an object comes with, where its members come with nothing.
      package let onlyCollection: Int?
    }
  }

  final class Resolution: Locked, @unchecked Sendable {
    @exclusivity(unchecked) var reach: Reach?
  }

  /// - Throws: `MagicError` with `.invalidSchema` where a type that is reached cannot be stored as
  ///   it is declared, or a reverse property refers along no relationship to this type.
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

  /// The types that relationships refer to, in the order of `toOnes`, then `collections`.
  package var targets: [ObjectSchema] {
    get throws { try toOnes.map { try $0.schema.target } + collections.map { try $0.target } }
  }

  /// - Returns: besides, for each relationship whether it stays in the graph of its owner.
  private func resolve() throws -> (Reach, [Bool]) {
    let saved = try reachedTypes { try $0.targets }
    let fetched = try fetchedTypes()
    let isCyclic = fetched.contains { $0 === self }
    let reachesCycle = try isCyclic || fetched.contains { try $0.isSelfReferencing() }
    for reverse in reverses { try checkReverse(reverse) }
    let reach = Reach(
      hasRelationships: !saved.isEmpty, isCyclic: saved.contains { $0 === self },
      fetched: Reach.Fetched(
        hasRelationships: !fetched.isEmpty, isCyclic: isCyclic, reachesCycle: reachesCycle,
        onlyCollection: try onlyCollection(fetched)))
    return (
      reach,
      try zip(relationships, targets).map { relationship, target in
        try !relationship.isLazy && isCyclic && target.isSelfReferencing()
      }
    )
  }

  /// Nil as well where the members' type is to be refused, which is done where more of it is fetched.
  private func onlyCollection(_ fetched: [ObjectSchema]) throws -> Int? {
    let eager = relationships.indices.filter { !relationships[$0].isLazy }
    guard eager.count == 1, eager[0] >= toOnes.count, let members = fetched.first,
      try members.fetchedTargets.isEmpty, (try? members.reach) != nil
    else { return nil }
    return eager[0] - toOnes.count
  }

  /// In the order of ``targets``.
  private var relationships: [PropertySchema] { toOnes.map(\.schema) + collections }

  private var fetchedTargets: [ObjectSchema] {
    get throws { try zip(relationships, targets).filter { !$0.0.isLazy }.map(\.1) }
  }

  /// The types of the objects that come with one of this type, itself where it refers back.
  package var loadedTypes: [ObjectSchema] { get throws { try fetchedTypes() } }

  private func isSelfReferencing() throws -> Bool {
    try fetchedTypes().contains { $0 === self }
  }

  private func fetchedTypes() throws -> [ObjectSchema] {
    try reachedTypes { try $0.fetchedTargets }
  }

  /// The types that one or more steps refer to.
  private func reachedTypes(
    _ step: (ObjectSchema) throws -> [ObjectSchema]
  ) throws -> [ObjectSchema] {
    var reached: [ObjectSchema] = []
    var waiting = try step(self)
    while let next = waiting.popLast() {
      guard !reached.contains(where: { $0 === next }) else { continue }
      reached.append(next)
      waiting += try step(next)
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
        "A reverse property names a relationship that refers to \(target.typeName), not to this "
          + "type.", type: typeName, property: reverse.property)
    }
  }
}
