public import MagicEngine
import MagicGraph
public import MagicSchema

/// Objects of several types in one call. Each object is converted to `any MagicObject` once, so for
/// many objects of one type `update(contentsOf:)` of an array of this type is faster.
extension AsyncMagicDatabaseWriter {
  /// Inserts or updates objects of any types in one transaction: all of them or none. The objects
  /// may refer to each other, and each is saved once.
  ///
  /// ```swift
  /// try await magic.update(ada, mix, song)
  /// ```
  ///
  /// - Parameter policy: what happens if an instance was fetched or saved before and its row is
  ///   missing.
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  /// - Complexity: as `update(_:)` of each object.
  @discardableResult
  public func update<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    ifMissing policy: MissingRowPolicy = .fail
  ) async throws -> [ZIndex] {
    try await update(contentsOf: asList(first, second, repeat each others), ifMissing: policy)
  }

  /// Inserts or updates objects of any types in one transaction: all of them or none. The objects
  /// may refer to each other, and each is saved once.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func update(
    contentsOf objects: [any MagicObject], ifMissing policy: MissingRowPolicy = .fail
  ) async throws -> [ZIndex] {
    try await _write(isRepeatable: true) {
      try $0.objects.save(objects, SavingRules(missing: policy))
    }
  }

  /// Inserts new objects of any types in one transaction: all of them or none. The objects may refer
  /// to each other, and each is inserted once.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as `insert(_:)` for one object.
  @discardableResult
  public func insert<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) async throws -> [ZIndex] {
    try await insert(contentsOf: asList(first, second, repeat each others))
  }

  /// Inserts new objects of any types in one transaction: all of them or none. The objects may refer
  /// to each other, and each is inserted once.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as `insert(_:)` for one object.
  @discardableResult
  public func insert(contentsOf objects: [any MagicObject]) async throws -> [ZIndex] {
    try await _write(isRepeatable: true) {
      try $0.objects.save(objects, SavingRules(existing: .fail))
    }
  }

  /// Saves objects of any types like `merge(_:)` in one transaction: all of them or none. The objects
  /// may refer to each other, and each is saved once.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as `merge(_:)` for one object.
  @discardableResult
  public func merge<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) async throws -> [ZIndex] {
    try await merge(contentsOf: asList(first, second, repeat each others))
  }

  /// Saves objects of any types like `merge(_:)` in one transaction: all of them or none. The objects
  /// may refer to each other, and each is saved once.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as `merge(_:)` for one object.
  @discardableResult
  public func merge(contentsOf objects: [any MagicObject]) async throws -> [ZIndex] {
    try await _write(isRepeatable: true) { try $0.objects.merge(objects) }
  }

  /// Deletes the rows of objects of any types, in order, in one transaction: all of them or none.
  ///
  /// - Throws: `MagicError`, as `remove(_:)` for one object.
  public func remove<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) async throws {
    try await remove(contentsOf: asList(first, second, repeat each others))
  }

  /// Deletes the rows of objects of any types, in order, in one transaction: all of them or none.
  ///
  /// - Throws: `MagicError`, as `remove(_:)` for one object.
  public func remove(contentsOf objects: [any MagicObject]) async throws {
    try await _write(isRepeatable: true) { try $0.objects.remove(objects) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `update` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    ifMissing policy: MissingRowPolicy = .fail
  ) throws -> [ZIndex] {
    try update(contentsOf: asList(first, second, repeat each others), ifMissing: policy)
  }

  /// Like the asynchronous `update(contentsOf:ifMissing:)` of objects of any types, but blocks the
  /// thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update(
    contentsOf objects: [any MagicObject], ifMissing policy: MissingRowPolicy = .fail
  ) throws -> [ZIndex] {
    try _write { try $0.objects.save(objects, SavingRules(missing: policy)) }
  }

  /// Like the asynchronous `insert` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func insert<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) throws -> [ZIndex] {
    try insert(contentsOf: asList(first, second, repeat each others))
  }

  /// Like the asynchronous `insert(contentsOf:)` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func insert(contentsOf objects: [any MagicObject]) throws -> [ZIndex] {
    try _write { try $0.objects.save(objects, SavingRules(existing: .fail)) }
  }

  /// Like the asynchronous `merge` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func merge<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) throws -> [ZIndex] {
    try merge(contentsOf: asList(first, second, repeat each others))
  }

  /// Like the asynchronous `merge(contentsOf:)` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func merge(contentsOf objects: [any MagicObject]) throws -> [ZIndex] {
    try _write { try $0.objects.merge(objects) }
  }

  /// Like the asynchronous `remove` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func remove<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) throws {
    try remove(contentsOf: asList(first, second, repeat each others))
  }

  /// Like the asynchronous `remove(contentsOf:)` of objects of any types, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func remove(contentsOf objects: [any MagicObject]) throws {
    try _write { try $0.objects.remove(objects) }
  }
}

private func asList<First: MagicObject, Second: MagicObject, each Other: MagicObject>(
  _ first: First, _ second: Second, _ others: repeat each Other
) -> [any MagicObject] {
  var objects: [any MagicObject] = [first, second]
  repeat objects.append(each others)
  return objects
}
