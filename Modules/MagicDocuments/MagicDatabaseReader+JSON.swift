public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader {
  /// Returns the JSON document of an object.
  ///
  /// ```swift
  /// let graph = try await magic.json(of: guest, depth: .graph)
  /// ```
  ///
  /// The values are those of the object in memory. The keys are the names of the properties, or those
  /// that ``MagicOption/named(json:)`` gives them. A date is the number of seconds since 2001, bytes
  /// are texts in Base64, and values that are stored as JSON are that JSON. Inverse relationships are
  /// not contained, and neither are relationships that the query of the object excludes.
  ///
  /// - Parameters:
  ///   - object: the object. It need not be saved.
  ///   - depth: which other objects are contained. Default: none, only references to them. Lazy
  ///     relationships and assets are contained only with ``MagicJSON/Depth/graph``, and are read
  ///     from the database.
  /// - Throws: `MagicError`: `.cannotEncode` for a value that cannot be stored, `.notSaved` if a
  ///   reference is that of an object which has neither a primary value nor a row, `.assetMissing`,
  ///   `.invalidSchema` if two properties have one key; `CancellationError` in a cancelled task.
  /// - Complexity: O(n) in the size of the document, which is in memory.
  public func json<Model: MagicObject>(
    of object: Model, depth: MagicJSON.Depth = .links
  ) async throws -> MagicJSON {
    try await _read { access in
      let reader = access.reader
      return try reader.inSnapshot { try DocumentWriter(reader, depth).document(of: object) }
    }
  }

  /// Returns the JSON document of objects, for example of the results of a query: an array. With
  /// ``MagicJSON/Depth/graph``, an object that an earlier one contains is a reference. Otherwise the array
  /// contains each of the objects, and the objects to which they refer are those within the depth of any of
  /// them.
  ///
  /// - Parameters:
  ///   - objects: the objects, in the order of the array.
  ///   - depth: which other objects are contained. Default: none.
  /// - Throws: `MagicError`, as for one object.
  public func json<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable, depth: MagicJSON.Depth = .links
  ) async throws -> MagicJSON {
    try await _read { access in
      let reader = access.reader
      return try reader.inSnapshot {
        try DocumentWriter(reader, depth).document(of: Array(objects))
      }
    }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `json(of:depth:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func json<Model: MagicObject>(
    of object: Model, depth: MagicJSON.Depth = .links
  ) throws -> MagicJSON {
    try _read { access in
      let reader = access.reader
      return try reader.inSnapshot { try DocumentWriter(reader, depth).document(of: object) }
    }
  }

  /// Like the asynchronous `json(contentsOf:depth:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func json<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>, depth: MagicJSON.Depth = .links
  ) throws -> MagicJSON {
    try _read { access in
      let reader = access.reader
      return try reader.inSnapshot {
        try DocumentWriter(reader, depth).document(of: Array(objects))
      }
    }
  }
}
