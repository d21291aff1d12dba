public import MagicSchema

// Methods with the names that other libraries use. They only make the compiler name the method of
// this library. Calling one of them is an error.

@_documentation(visibility: internal)
extension AsyncMagicDatabaseWriter {
  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(_:)")
  public func save(_ object: some MagicObject) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(contentsOf:)")
  public func save(_ objects: [some MagicObject]) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(_:)")
  public func add(_ object: some MagicObject) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(contentsOf:)")
  public func add(_ objects: [some MagicObject]) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "remove(_:)")
  public func delete(_ object: some MagicObject) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "remove(contentsOf:)")
  public func delete(_ objects: [some MagicObject]) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "removeAll(of:)")
  public func delete<Model: MagicObject>(_ type: Model.Type) async throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "removeAll(of:)")
  public func deleteAll<Model: MagicObject>(_ type: Model.Type) async throws {}

  /// Reports the name of the method in other libraries.
  @discardableResult
  @available(*, unavailable, renamed: "transaction(_:)")
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing MagicTransaction) throws -> Result
  ) async throws -> Result { try await transaction(body) }
}

@_documentation(visibility: internal)
extension AsyncMagicDatabaseReader {
  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "object(of:)")
  public func fetch<Model: MagicObject>(_ type: Model.Type) async throws -> [Model] { [] }

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "object(of:)")
  public func fetchAll<Model: MagicObject>(_ type: Model.Type) async throws -> [Model] { [] }

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "object(of:)")
  public func objects<Model: MagicObject>(_ type: Model.Type) async throws -> [Model] { [] }
}

@_documentation(visibility: internal)
extension MagicDatabaseWriter where Self: ~Copyable {
  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(_:)")
  public func save(_ object: some MagicObject) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(contentsOf:)")
  public func save(_ objects: [some MagicObject]) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(_:)")
  public func add(_ object: some MagicObject) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "update(contentsOf:)")
  public func add(_ objects: [some MagicObject]) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "remove(_:)")
  public func delete(_ object: some MagicObject) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "remove(contentsOf:)")
  public func delete(_ objects: [some MagicObject]) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "removeAll(of:)")
  public func delete<Model: MagicObject>(_ type: Model.Type) throws {}

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "removeAll(of:)")
  public func deleteAll<Model: MagicObject>(_ type: Model.Type) throws {}

  /// Reports the name of the method in other libraries.
  @discardableResult
  @available(*, unavailable, renamed: "transaction(_:)")
  public func write<Result>(
    _ body: (borrowing MagicTransaction) throws -> Result
  ) throws -> Result { try transaction(body) }
}

@_documentation(visibility: internal)
extension MagicDatabaseReader where Self: ~Copyable {
  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "object(of:)")
  public func fetch<Model: MagicObject>(_ type: Model.Type) throws -> [Model] { [] }

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "object(of:)")
  public func fetchAll<Model: MagicObject>(_ type: Model.Type) throws -> [Model] { [] }

  /// Reports the name of the method in other libraries.
  @available(*, unavailable, renamed: "object(of:)")
  public func objects<Model: MagicObject>(_ type: Model.Type) throws -> [Model] { [] }
}
