import MagicRuntime

extension ObjectSchema {
  /// The facts about the types that are reachable through relationships. They are determined when
  /// the type is first used.
  package struct Reach: Sendable {
    /// Whether saving an object can save other objects.
    package let hasRelationships: Bool
    /// Whether an object can refer to an object of its own type, directly or through other objects.
    package let isCyclic: Bool
    /// The same facts for relationships that are fetched with their owner.
    package let fetched: Fetched

    package struct Fetched: Sendable {
      /// Whether fetching an object fetches other objects.
      package let hasRelationships: Bool
      /// Whether fetching an object can fetch an object of the same type.
      package let isCyclic: Bool
      /// Whether this type, or any type that is fetched with it, is cyclic.
      package let reachesCycle: Bool
      /// The index of a collection, if it is the only relationship that is fetched with the object
      /// and fetching its members fetches nothing else.
      package let onlyCollection: Int?
    }
  }

  final class Resolution: Locked, @unchecked Sendable {
    @exclusivity(unchecked) var reach: Reach?
    @exclusivity(unchecked) var computedIndexes: [IndexSchema]?
    @exclusivity(unchecked) var indexFacts: (any Sendable)?
    @exclusivity(unchecked) var fingerprint: String?
    @exclusivity(unchecked) var propertiesFingerprint: String?

    /// Keeps the result of a computation over the schema. It depends on the types that the relationships
    /// refer to, so it is kept after these were resolved.
    func keep(_ body: (Resolution) -> Void) {
      withLock { if reach != nil { body(self) } }
    }
  }

  /// The facts about the types that are reachable through relationships.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` if a reachable type cannot be stored as it is
  ///   declared, or if an inverse relationship names no relationship to this type.
  package var reach: Reach {
    get throws {
      if let cached = resolution.withLock({ resolution.reach }) { return cached }
      let (reach, graphTargets) = try resolve()
      return resolution.withLock {
        if let cached = resolution.reach { return cached }
        for (toOne, stays) in zip(toOnes, graphTargets) { toOne.schema.staysInGraph = stays }
        for (column, stays) in zip(collections, graphTargets.dropFirst(toOnes.count)) {
          column.staysInGraph = stays
        }
        resolution.reach = reach
        return reach
      }
    }
  }

  /// The types that the relationships refer to, in the order of `toOnes`, then `collections`, then
  /// the join types.
  package var targets: [ObjectSchema] {
    get throws {
      try toOnes.map { try $0.schema.target } + collections.map { try $0.target } + joinTypes
    }
  }

  /// - Returns: the facts, and for each relationship whether its targets are stored in the graph of
  ///   the owner.
  private func resolve() throws -> (Reach, [Bool]) {
    let saved = try reachedTypes { try $0.targets }
    let fetched = try fetchedTypes()
    let isCyclic = fetched.contains { $0 === self }
    let reachesCycle = try isCyclic || fetched.contains { try $0.isSelfReferencing() }
    for reverse in reverses { try checkReverse(reverse) }
    for collection in collections { try checkJoinType(of: collection) }
    _ = try computedIndexes
    let reach = Reach(
      hasRelationships: !saved.isEmpty, isCyclic: saved.contains { $0 === self },
      fetched: Reach.Fetched(
        hasRelationships: !fetched.isEmpty, isCyclic: isCyclic, reachesCycle: reachesCycle,
        onlyCollection: try onlyCollection(fetched)))
    return (
      reach,
      try zip(relationshipProperties, targets).map { relationship, target in
        try !relationship.isLazy && isCyclic && target.isSelfReferencing()
      }
    )
  }

  /// The result is also nil if the schema of the members' type is invalid; the error is thrown when
  /// more of that type is fetched.
  private func onlyCollection(_ fetched: [ObjectSchema]) throws -> Int? {
    let eager = relationshipProperties.indices.filter { !relationshipProperties[$0].isLazy }
    guard eager.count == 1, eager[0] >= toOnes.count, let members = fetched.first,
      try members.fetchedTargets.isEmpty, (try? members.reach) != nil
    else { return nil }
    return eager[0] - toOnes.count
  }

  /// The relationships in the order of ``targets``.
  package var relationshipProperties: [PropertySchema] { toOnes.map(\.schema) + collections }

  private var fetchedTargets: [ObjectSchema] {
    get throws { try zip(relationshipProperties, targets).filter { !$0.0.isLazy }.map(\.1) }
  }

  /// The types of the objects that are fetched with an object of this type. They include this type
  /// if it is cyclic.
  package var loadedTypes: [ObjectSchema] { get throws { try fetchedTypes() } }

  /// The types of the objects that are fetched with an object of this type if some relationships
  /// are not loaded.
  ///
  /// - Parameter excluded: the indexes of these relationships, in the order of ``targets``.
  package func loadedTypes(excluding excluded: Set<Int>) throws -> [ObjectSchema] {
    guard !excluded.isEmpty else { return try loadedTypes }
    var types: [ObjectSchema] = []
    for (index, relationship) in relationshipProperties.enumerated()
    where !relationship.isLazy && !excluded.contains(index) {
      let target = try targets[index]
      for type in [target] + (try target.loadedTypes)
      where !types.contains(where: { $0 === type }) {
        types.append(type)
      }
    }
    return types
  }

  private func isSelfReferencing() throws -> Bool {
    try fetchedTypes().contains { $0 === self }
  }

  private func fetchedTypes() throws -> [ObjectSchema] {
    try reachedTypes { try $0.fetchedTargets }
  }

  /// The types that are reachable in one or more steps.
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
        "The inverse relationship names a relationship to \(target.typeName). Name a relationship "
          + "to this type.", type: typeName, property: reverse.property)
    }
  }
}
