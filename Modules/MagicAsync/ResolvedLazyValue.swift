import MagicEngine
import MagicSchema
import MagicStore
import Magical

/// What is behind a lazy value when it is asked.
enum ResolvedLazyValue<Content> {
  /// In memory, not saved yet.
  case content(Content)
  /// In a row; the object's store is kept open by what is kept.
  case row(LazyRow, StoreLease?)
  /// The object is no row any more.
  case gone(MagicError)
}

extension AsyncMagical {
  /// Looks what is behind the value.
  ///
  /// - Parameter reader: what asks; in a transaction what it has saved is read from there.
  /// - Throws: `MagicError` with `.missingValue` where there never was a value.
  func find(for reader: (any EngineReader)? = nil) throws -> ResolvedLazyValue<Content> {
    let token = reader.flatMap { $0.isWriting ? $0.token : nil }
    while true {
      switch reference.resolved() {
      case .null:
        return .gone(MagicError(.notFound, "The property is nil."))
      case .row(let place):
        return try found(at: place, token)
      case .box(let box, let place):
        if let token, let place, place.lazyPropertyBox?.isBeingSaved(box) ?? false,
          place.lazyOwner(inTransactionOf: token)?.identity?.store == token
        {
          return try found(at: place, token)
        }
        guard let box = box as? LazyBox<Content> else { throw reference.missingValue }
        // Else it was moved to a row meanwhile.
        if let (content, _) = box.content { return .content(content) }
      }
    }
  }

  private func found(
    at place: PropertyReference, _ token: StoreToken?
  ) throws -> ResolvedLazyValue<Content> {
    guard let owner = place.lazyOwner(inTransactionOf: token) else {
      throw LazyReference.place(place).missingValue
    }
    guard let identity = owner.identity else {
      return .gone(
        owner.schema.notFound("The object was removed from its database.", at: owner.slot))
    }
    return .row(
      LazyRow(owner: owner.schema, slot: owner.slot, identity: identity), owner.lease)
  }

  /// Reads what a row has, from a task.
  func reading<Result: Sendable>(
    _ row: LazyRow, _ lease: StoreLease?,
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await OpenDatabases.shared.database(of: row.identity, lease).reading(body)
  }
}

extension LazyRow {
  /// The row is gone, or what its to-one referred to.
  func notFound() -> MagicError {
    owner.notFound(
      "Row \(identity.zIndex), or what it refers to, is not in the database any more.", at: slot)
  }
}
