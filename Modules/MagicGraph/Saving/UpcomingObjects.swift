import MagicSchema

/// New objects with a primary value or a key that a save visits next, up to a limit: those that it knows,
/// and the objects that they refer to.
struct UpcomingObjects {
  /// The objects, by type.
  private(set) var groups: [(schema: ObjectSchema, objects: [ObjectReference])] = []
  /// Retains the objects that the caller of the save does not retain.
  private(set) var holders: [RetainedObjects] = []
  private(set) var count = 0
  private let store: StoreToken
  private let limit: Int
  /// The objects whose relationships the save has visited, by instance key.
  private let visited: InstanceKeys
  private var visits = 0
  private var known: Set<UInt> = []
  private var places: [ObjectIdentifier: Int] = [:]

  /// The number of objects that are visited for each object that is collected, at most.
  private static var visitsPerObject: Int { 4 }

  init(limit: Int, store: StoreToken, visited: InstanceKeys) {
    (self.limit, self.store, self.visited) = (limit, store, visited)
  }

  var isFull: Bool { count >= limit || visits >= limit * Self.visitsPerObject }

  /// Adds an object, and the objects that it refers to.
  ///
  /// - Parameter holder: retains the object, or nil if the caller of the save does.
  mutating func add(_ object: ObjectReference, _ holder: RetainedObjects? = nil) throws {
    if let holder { holders.append(holder) }
    var stack: [(RetainedObjects, next: Int)] = []
    try visit(object, &stack)
    try visitAll(&stack)
  }

  /// Adds the members of an object's collections from an index on.
  mutating func addMembers(of object: ObjectReference, from first: Int) throws {
    var stack: [(RetainedObjects, next: Int)] = []
    try pushMembers(of: object, from: first, &stack)
    try visitAll(&stack)
  }

  private mutating func visitAll(_ stack: inout [(RetainedObjects, next: Int)]) throws {
    while let (objects, next) = stack.popLast(), !isFull {
      if next + 1 < objects.count { stack.append((objects, next + 1)) }
      // The members of a visited object are known already.
      if !visited.contains(objects[next].instanceKey) { try visit(objects[next], &stack) }
    }
  }

  /// Adds objects from an index on, and the objects that they refer to.
  mutating func add(_ objects: RetainedObjects, from first: Int) throws {
    holders.append(objects)
    for index in first..<max(first, objects.count) {
      if isFull { return }
      try add(objects[index])
    }
  }

  private mutating func visit(
    _ object: ObjectReference, _ stack: inout [(RetainedObjects, next: Int)]
  ) throws {
    let schema = object.schema
    guard known.insert(object.instanceKey).inserted else { return }
    visits += 1
    if object.hasIdentityValue, object.identity(inTransactionOf: store)?.store != store {
      count += 1
      let place = places[ObjectIdentifier(schema)] ?? groups.count
      if place == groups.count {
        places[ObjectIdentifier(schema)] = place
        groups.append((schema, []))
      }
      groups[place].objects.append(object)
    }
    guard try schema.reach.hasRelationships else { return }
    try pushMembers(of: object, from: 0, &stack)
    for (column, toOne) in schema.toOnes.reversed() where !toOne.isLazy {
      let link = try toOne.capture(object.property(column)) { _ in }
      if case .object(let target) = link.target { push(target, &stack) }
    }
  }

  private mutating func pushMembers(
    of object: ObjectReference, from first: Int, _ stack: inout [(RetainedObjects, next: Int)]
  ) throws {
    let schema = object.schema
    // Lazy relationships would be loaded, and are looked up when they are visited.
    for index in schema.collections.indices.dropFirst(first).reversed()
    where !schema.collections[index].isLazy {
      let property = object.property(schema.columns.count + index)
      let members = try schema.collections[index].capture(property) { _ in }
      if case .objects(let objects, _) = members.members { push(objects, &stack) }
    }
  }

  private mutating func push(
    _ objects: RetainedObjects, _ stack: inout [(RetainedObjects, next: Int)]
  ) {
    guard objects.count > 0 else { return }
    holders.append(objects)
    stack.append((objects, 0))
  }
}

extension ObjectReference {
  /// Whether the object has a primary value or a key, so that a stored row may have it too.
  var hasIdentityValue: Bool {
    if !schema.key.isEmpty { return true }
    guard let primary = schema.primary else { return false }
    return schema.columns[primary].hasValue(property(primary))
  }
}

extension ObjectSchema {
  /// Whether a new object may have a stored row, which its primary or key identifies.
  var identifiesRows: Bool { primary != nil || !key.isEmpty }

  /// The primary and the columns of the key.
  var identityColumns: [Int] { (primary.map { [$0] } ?? []) + key }
}
