import MagicEngine
import MagicSchema
import MagicStore
import Magical

/// The current source of a lazy value.
enum ResolvedLazyValue<Content> {
  /// The content in memory, which is not saved yet.
  case content(Content)
  /// The row that contains the value, and the lease that keeps the object's store open.
  case row(LazyRow, StoreLease?)
  /// The row that contains a collection, the lease, and the application of edits in memory, which
  /// are not saved yet.
  case edited(LazyRow, StoreLease?, @Sendable (Content) -> Content)
  /// The value does not exist: its owner was deleted, or the property is nil.
  case unavailable(MagicError)
}

extension AsyncMagical {
  /// Finds the current source of the value.
  ///
  /// - Parameter reader: the reader of the call. In a write transaction, a value that the
  ///   transaction has saved is read from its row.
  /// - Throws: `MagicError` with `.missingValue` if the property never had a value.
  func resolve(for reader: (any EngineReader)? = nil) throws -> ResolvedLazyValue<Content> {
    let token = reader.flatMap { $0.isWriting ? $0.token : nil }
    while true {
      switch reference.resolved() {
      case .null:
        return .unavailable(MagicError(.notFound, "The property is nil."))
      case .row(let place):
        if token == nil, let content = place.preloaded(Content.self) { return .content(content) }
        return try resolvedRow(at: place, token)
      case .box(let box, let place):
        if let token, let place, place.lazyPropertyBox?.isBeingSaved(box) ?? false,
          place.lazyOwner(inTransactionOf: token)?.identity?.store == token
        {
          return try resolvedRow(at: place, token)
        }
        if let place, let edited = try resolvedEdits(box, at: place, token) { return edited }
        guard let box = box as? LazyBox<Content> else { throw reference.missingValue }
        // Otherwise a concurrent save has released the content. Resolve the reference again.
        if let (content, _) = box.content { return .content(content) }
      }
    }
  }

  /// Returns the row and the edits that are not in it; nil if the box has no edits.
  ///
  /// - Parameter token: the database whose transaction reads. Edits that it has saved are in the row.
  private func resolvedEdits(
    _ box: AnyLazyBox, at place: PropertyReference, _ token: StoreToken?
  ) throws -> ResolvedLazyValue<Content>? {
    let saved = token == nil ? nil : place.lazyPropertyBox?.uncommittedVersion(of: box)
    guard let type = Content.self as? any ObjectCollection.Type,
      let edits = Self.edits(of: box, after: saved, type)
    else { return nil }
    let stored = try resolvedRow(at: place, token)
    guard case .row(let row, let lease) = stored else { return stored }
    return .edited(row, lease, edits)
  }

  private static func edits<Value: ObjectCollection>(
    of box: AnyLazyBox, after version: UInt?, _ type: Value.Type
  ) -> (@Sendable (Content) -> Content)? {
    guard let box = box as? LazyEdits<Value.Member> else { return nil }
    let edits = box.edits(after: version).edits
    return { content in (content as? Value)?.applying(edits) as? Content ?? content }
  }

  private func resolvedRow(
    at place: PropertyReference, _ token: StoreToken?
  ) throws -> ResolvedLazyValue<Content> {
    guard let owner = place.lazyOwner(inTransactionOf: token) else {
      throw LazyReference.place(place).missingValue
    }
    guard let identity = owner.identity else {
      return .unavailable(
        owner.schema.notFound("The object was removed from its database.", at: owner.slot))
    }
    return .row(
      LazyRow(owner: owner.schema, slot: owner.slot, identity: identity), owner.lease)
  }

  /// Reads from a row in a task.
  func reading<Result: Sendable>(
    _ row: LazyRow, _ lease: StoreLease?,
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await OpenDatabases.shared.database(of: row.identity, lease).reading(body)
  }
}

extension LazyRow {
  /// The error for a row that no longer exists, or that refers to a deleted row.
  func notFound() -> MagicError {
    owner.notFound(
      "Row \(identity.zIndex), or the row that it refers to, no longer exists.", at: slot)
  }
}
