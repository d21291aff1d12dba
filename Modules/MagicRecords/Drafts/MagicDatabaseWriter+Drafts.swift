import MagicEngine
import MagicGraph
public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader {
  /// Creates a draft with the stored values of an object. Changes of the object that were not saved
  /// are not part of it.
  ///
  /// - Throws: `MagicError`: `.notSaved` for an object that is not in this database, `.notFound` if
  ///   its row was deleted; `CancellationError` in a cancelled task.
  public func draft<Model: MagicObject>(of object: Model) async throws -> MagicDraft<Model> {
    try await _read { try MagicDraft(of: object, $0.reader.secondInstance(of: object)) }
  }
}

extension AsyncMagicDatabaseWriter {
  /// Writes the properties that were set in a draft into the row of its object, and into the object
  /// in memory. Other changes of the object are kept. The draft has no edits afterwards.
  ///
  /// A property is in conflict if it was set in the draft, and its stored value is neither the one
  /// from when the draft was created, nor the one in the draft. Values that a ``MagicRecord`` does not
  /// contain, assets and lazy relationships, are written without this check, and so are changes of
  /// objects that the draft refers to: they are saved together with it.
  ///
  /// - Parameters:
  ///   - draft: the draft.
  ///   - overwriting: whether the values of the draft replace the stored ones in case of a conflict.
  /// - Throws: ``MagicDraftConflict``; `MagicError`, with `.notFound` if the row was deleted, and
  ///   other codes as for `update(_:)`. Nothing is written then, and draft and object are unchanged.
  public func commit<Model: MagicObject>(
    _ draft: MagicDraft<Model>, overwriting: Bool = false
  ) async throws {
    try await _write(isRepeatable: true) {
      try $0.objects.commit(draft, overwriting: overwriting)
    }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `draft(of:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func draft<Model: MagicObject>(of object: Model) throws -> MagicDraft<Model> {
    try _read { try MagicDraft(of: object, $0.reader.secondInstance(of: object)) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `commit(_:overwriting:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func commit<Model: MagicObject>(
    _ draft: MagicDraft<Model>, overwriting: Bool = false
  ) throws {
    try _write(isOneRow: false) { try $0.objects.commit(draft, overwriting: overwriting) }
  }
}

extension EngineReader {
  /// Fetches another instance of an object.
  fileprivate func secondInstance<Model: MagicObject>(of object: Model) throws -> Model {
    try instances(of: [object], ObjectSchema.of(Model.self))[0]
  }
}

extension ObjectTransaction {
  fileprivate func commit<Model: MagicObject>(
    _ draft: MagicDraft<Model>, overwriting: Bool
  ) throws {
    let schema = try ObjectSchema.of(Model.self)
    let edited = Set(draft.object.changedProperties)
    guard !edited.isEmpty else {
      _ = try save(draft.object, schema)
      return
    }
    let theirs = try instances(of: [draft.object], schema)[0]
    if !overwriting { try refuseConflicts(of: draft, edited, theirs, schema) }
    let version = schema.version.map { schema.columns[$0] }
    // The conflicts of properties are known, so changes of other properties are no conflict.
    if let version { try refresh([draft.object], schema, only: [version.property]) }
    _ = try save(draft.object, schema)
    // The original may have been removed and saved again, as another row.
    guard draft.original.isSameRow(as: draft.object) else { return }
    var committed = edited
    // Otherwise the original has old values of other properties, so its version stays outdated.
    if let version, schema.version(of: draft.original) == schema.version(of: theirs) {
      committed.insert(version.property)
    }
    try refresh([draft.original], schema, only: committed)
  }

  private func refuseConflicts<Model: MagicObject>(
    of draft: MagicDraft<Model>, _ edited: Set<String>, _ theirs: Model, _ schema: ObjectSchema
  ) throws {
    let (base, mine) = (draft.object.savedValues.entries, draft.object.values.entries)
    let stored = theirs.values.entries
    let conflicts = schema.recordedProperties.enumerated().compactMap {
      slot, property -> MagicDraftConflict.Property? in
      guard let property, edited.contains(property.property),
        !property.areEqual(base[slot], stored[slot]), !property.areEqual(mine[slot], stored[slot])
      else { return nil }
      return MagicDraftConflict.Property(
        name: property.property, base: base[slot]?.value, mine: mine[slot]?.value,
        theirs: stored[slot]?.value)
    }
    guard conflicts.isEmpty else {
      throw MagicDraftConflict(type: schema.typeName, properties: conflicts)
    }
  }
}

extension ObjectSchema {
  /// Returns the version of an object; nil if the type has none or the object is not saved.
  fileprivate func version<Model: MagicObject>(of object: Model) -> Int? {
    version.flatMap { column in
      withReference(to: object) { $0.property(column).load(Int.self) }
    }
  }
}

extension RecordedProperty {
  /// Whether two entries of the property are equal.
  fileprivate func areEqual(_ left: RecordEntry?, _ right: RecordEntry?) -> Bool {
    switch (left?.value, right?.value) {
    case (nil, nil): true
    case (let left?, let right?): areEqual(left, right)
    default: false
    }
  }
}
