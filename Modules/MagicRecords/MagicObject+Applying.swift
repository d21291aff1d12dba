import MagicEngine
public import MagicSchema
public import MagicStore

extension MagicObject {
  /// Creates an object with the values of a record. Properties that the record does not contain
  /// have the values that `init()` gives them.
  ///
  /// - Throws: as ``apply(_:)``.
  public init(_ values: MagicRecord<Self>) throws {
    self.init()
    try apply(values)
  }

  /// Sets the properties that a record contains, and leaves the others as they are. Properties
  /// whose value is the same do not become changed. The object is not saved.
  ///
  /// A relationship can be set to nil or to objects that it already contains. Other objects must be
  /// fetched: `apply(_:to:)` of a database does that.
  ///
  /// The primary is set too, and saving an object replaces the row with its primary. For a record
  /// from a client, check `$id`, or remove it with ``MagicRecord/omitting(_:)``.
  ///
  /// A version is compared, not set: the database assigns it.
  ///
  /// - Throws: `MagicError`: `.notFound` if objects must be fetched; if the object is saved,
  ///   `.constraint` if the record has another primary value, and `.conflict` if it has another
  ///   version. Then no property was set.
  public func apply(_ values: MagicRecord<Self>) throws { try apply(values, nil) }

  func apply(
    _ values: MagicRecord<Self>, _ reader: (any EngineReader)?
  ) throws {
    let schema = try ObjectSchema.of(Self.self)
    let assignments = try schema.withReference(to: self) { object in
      try zip(schema.recordedProperties, values.entries).enumerated().compactMap {
        index, element -> (() -> Void)? in
        guard let property = element.0, let entry = element.1 else { return nil }
        let place = object.property(index)
        if index == schema.primary, object.identity != nil {
          try Self.checkPrimary(property, entry, place, schema)
          return nil
        }
        if index == schema.version {
          if let identity = object.identity {
            try Self.checkVersion(entry, place, schema, identity.zIndex)
          }
          return nil
        }
        return try property.assignment(of: entry, to: place, reader)
      }
    }
    for assign in assignments { assign() }
  }

  private static func checkVersion(
    _ entry: RecordEntry, _ place: PropertyReference, _ schema: ObjectSchema, _ zIndex: ZIndex
  ) throws {
    guard let version = entry.value as? Int, let current = place.load(Int.self),
      version != current
    else { return }
    throw MagicError(
      .conflict,
      "The values have version \(version), and the object has version \(current). Fetch the values "
        + "again, or omit their version to overwrite the newer values.",
      type: schema.typeName, property: schema.version.map { schema.columns[$0].property },
      conflict: MagicConflict(zIndex: zIndex, version: version, storedVersion: current))
  }

  private static func checkPrimary(
    _ property: any RecordedProperty, _ entry: RecordEntry, _ place: PropertyReference,
    _ schema: ObjectSchema
  ) throws {
    guard let value = entry.value,
      let current = property.entry(of: place, isSaved: true)?.value,
      !property.areEqual(value, current)
    else { return }
    throw MagicError(
      .constraint,
      "The values have another primary than the saved object. Omit the primary, or "
        + "apply the values to the object that has it.",
      type: schema.typeName, property: property.property)
  }
}

extension AsyncMagicDatabaseReader {
  /// Sets the properties of an object that a record contains, and leaves the others as they are.
  /// The objects of relationships are fetched from one snapshot. The object is not saved.
  ///
  /// ```swift
  /// let values = try JSONDecoder().decode(MagicRecord<Song>.self, from: body)
  /// let song = Song()
  /// try await magic.apply(values, to: song)
  /// try await magic.update(song)
  /// ```
  ///
  /// - Throws: `MagicError`: `.notFound` if an object of a relationship does not exist,
  ///   `.constraint` if the object is saved and the record has another primary value, `.conflict` if
  ///   it is saved and the record has another version; `CancellationError` in a cancelled task. Then
  ///   no property was set.
  public func apply<Model: MagicObject>(
    _ values: MagicRecord<Model>, to object: Model
  ) async throws {
    try await _read { access in
      try access.reader.inSnapshot { try object.apply(values, access.reader) }
    }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `apply(_:to:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func apply<Model: MagicObject>(_ values: MagicRecord<Model>, to object: Model) throws {
    try _read { access in
      try access.reader.inSnapshot { try object.apply(values, access.reader) }
    }
  }
}
