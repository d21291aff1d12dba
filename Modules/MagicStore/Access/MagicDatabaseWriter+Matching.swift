import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Saves an object like `update(_:)`, but finds the row of a new object by unique properties
  /// instead of its key or primary.
  ///
  /// If a row has the same values, all its values are replaced by those of the object, except the
  /// primary: the object gets the stored one. If there is none, or one of the values is nil, a row is
  /// inserted. An instance that was saved or fetched before updates its own row.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - field: a unique property, or the first property of a unique index.
  ///   - others: the other properties of the index, in any order.
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`: `.invalidQuery` if two rows may have the same values in these
  ///   properties; other codes as for `update(_:)`. Nothing is stored then, and the object is
  ///   unchanged.
  /// - Complexity: as `update(_:)`, and one lookup in the index.
  @discardableResult
  public func update<Model: MagicObject, First, each Other>(
    _ object: Model,
    matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    let rules = try SavingRules(matched: schema.matched(field, repeat each others))
    return try await _write(isRepeatable: true) { try $0.objects.save(object, schema, rules) }
  }

  /// Saves objects like `update(_:matching:)` in one transaction: all of them or none.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func update<Model: MagicObject, First, each Other>(
    contentsOf objects: some Sequence<Model> & Sendable,
    matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    let rules = try SavingRules(matched: schema.matched(field, repeat each others))
    return try await _write(isRepeatable: true) {
      try $0.objects.save(Array(objects), schema, rules)
    }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `update(_:matching:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject, First, each Other>(
    _ object: Model, matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    let rules = try SavingRules(matched: schema.matched(field, repeat each others))
    return try _write { try $0.objects.save(object, schema, rules) }
  }

  /// Like the asynchronous `update(contentsOf:matching:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject, First, each Other>(
    contentsOf objects: some Sequence<Model>,
    matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    let rules = try SavingRules(matched: schema.matched(field, repeat each others))
    return try _write { try $0.objects.save(Array(objects), schema, rules) }
  }
}

extension ObjectSchema {
  /// Returns the columns of properties by which a row is found.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` if two rows may have the same values.
  func matched<Model: MagicObject, First, each Other>(
    _ field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) throws -> [Int] {
    var matched = [try self.column(at: field)]
    for other in repeat each others { matched.append(try self.column(at: other)) }
    let names = Set(matched.map { columns[$0].name })
    let isUnique =
      matched.count == 1 && (columns[matched[0]].isUnique || matched[0] == primary)
      || indexes.contains { $0.identifiesRows && Set($0.columns) == names }
    guard isUnique else {
      throw MagicError(
        .invalidQuery,
        "Several rows may have the same values in these properties. Declare them as unique: with "
          + "the option .unique for one property, with a unique MagicIndex or a key "
          + "for several.",
        type: typeName,
        property: matched.count == 1 ? columns[matched[0]].property : nil)
    }
    return matched
  }

  private func column<Model: MagicObject, Value>(
    at field: KeyPath<Model, MagicField<Value>>
  ) throws -> Int {
    let property = try property(at: field)
    guard let column = columns.firstIndex(where: { $0 === property }) else {
      throw MagicError(
        .invalidQuery, "Only stored values and to-one relationships can be matched.",
        type: typeName, property: property?.property)
    }
    return column
  }
}
