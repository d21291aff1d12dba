import MagicGraph
public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseWriter {
  /// Saves the objects of a JSON document in one transaction.
  ///
  /// ```swift
  /// let guest = try await magic.update(json: MagicJSON(body), as: Guest.self)
  /// ```
  ///
  /// The document has the form that `json(of:depth:)` writes. An object whose primary or key is stored
  /// updates the properties that the document contains, and keeps the others. Any other object is
  /// inserted. A reference is that of an object in the document, by its primary value or its `$id`, or
  /// of an object in the database, by its primary value or row ID. If a document contains a
  /// `@MagicVersion`, the stored object must have the same version.
  ///
  /// Check what a client may change before you save its document: the document says which objects are
  /// changed.
  ///
  /// - Parameters:
  ///   - json: the document, an object.
  ///   - type: the type of the object.
  /// - Returns: the object, as the database has it.
  /// - Throws: `MagicError`: `.cannotDecode` for text that is not JSON, keys that are unknown or occur
  ///   twice, and values of another type, `.missingValue` if a new object lacks a value, `.notFound`
  ///   for a reference without an object; all of them have a ``MagicJSONError`` with the place in the
  ///   document as their cause. `.conflict` if the version differs, and other codes as for
  ///   `update(_:)`; `CancellationError` in a cancelled task. Nothing is stored then.
  /// - Complexity: O(n) in the size of the document and the objects that references find.
  @discardableResult
  public func update<Model: MagicObject>(
    json: MagicJSON, as type: Model.Type
  ) async throws -> Model {
    try await updateObjects(json, type, isArray: false)[0]
  }

  /// Saves the objects of a JSON document that is an array, in one transaction.
  ///
  /// - Parameters:
  ///   - json: the document, an array of objects.
  ///   - type: the type of the objects.
  /// - Returns: the objects in the order of the array, as the database has them.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func update<Model: MagicObject>(
    json: MagicJSON, asListOf type: Model.Type
  ) async throws -> [Model] {
    try await updateObjects(json, type, isArray: true)
  }

  private func updateObjects<Model: MagicObject>(
    _ json: MagicJSON, _ type: Model.Type, isArray: Bool
  ) async throws -> [Model] {
    let readers = DocumentReaders()
    defer { readers.release() }
    return try await _write(isRepeatable: true) {
      try $0.objects.update(json, type, isArray: isArray, readers)
    }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `update(json:as:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(json: MagicJSON, as type: Model.Type) throws -> Model {
    let readers = DocumentReaders()
    defer { readers.release() }
    return try _write(isOneRow: false) {
      try $0.objects.update(json, type, isArray: false, readers)
    }[0]
  }

  /// Like the asynchronous `update(json:asListOf:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    json: MagicJSON, asListOf type: Model.Type
  ) throws -> [Model] {
    let readers = DocumentReaders()
    defer { readers.release() }
    return try _write(isOneRow: false) {
      try $0.objects.update(json, type, isArray: true, readers)
    }
  }
}

extension ObjectTransaction {
  fileprivate func update<Model: MagicObject>(
    _ json: MagicJSON, _ type: Model.Type, isArray: Bool, _ readers: DocumentReaders
  ) throws -> [Model] {
    let reader = DocumentReader(engine.reader)
    readers.add(reader)
    let roots = try reader.roots(of: json, as: type, isArray: isArray)
    return try reader.save(roots, as: type, in: self)
  }
}
