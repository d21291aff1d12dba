package import MagicEngine
import MagicGraph
public import MagicSchema
public import MagicStore
import Magical

extension AsyncMagicDatabaseReader {
  /// Fetches the object with an identifier.
  ///
  /// - Throws: `MagicError`: `.notFound` if there is no such object, `.notSaved` for the identifier
  ///   of an object that was not saved; `CancellationError` in a cancelled task.
  /// - Complexity: O(log n) in the number of objects of the type.
  public func object<Model: MagicObject>(with id: MagicID<Model>) async throws -> Model {
    try await _read { try $0.reader.object(with: id) }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `object(with:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func object<Model: MagicObject>(with id: MagicID<Model>) throws -> Model {
    try _read { try $0.reader.object(with: id) }
  }
}

extension EngineReader {
  /// Fetches the object with an identifier.
  ///
  /// - Throws: `MagicError` with `.notFound` or `.notSaved`.
  package func object<Model: MagicObject>(with id: MagicID<Model>) throws -> Model {
    let schema = try ObjectSchema.of(Model.self)
    let found: Model?
    switch id.key {
    case .unsaved:
      throw MagicError(
        .notSaved, "The identifier is that of an object that is not saved. Save the object first.",
        type: schema.typeName)
    case .row(let row): found = try object(of: Model.self, schema, row: row)
    case .primary:
      found = try MagicID<Model>.primaryColumn.flatMap { try object(of: schema, id, $0) }
    }
    guard let found else { throw MagicError.noObject(schema) }
    return found
  }

  private func object<Model: MagicObject>(
    of schema: ObjectSchema, _ id: MagicID<Model>, _ column: some IdentifyingColumn
  ) throws -> Model? {
    // A key that is not a value of the primary is the key of no object.
    guard let primary = try? column.primary(for: id.key) else { return nil }
    return try object(of: Model.self, schema, primary: primary)
  }
}
