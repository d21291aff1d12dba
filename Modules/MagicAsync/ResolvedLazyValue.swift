import MagicEngine
import MagicSchema
import MagicStore
import Magical

/// The current source of a lazy value.
enum ResolvedLazyValue<Content> {
  /// The content in memory, which is not saved yet.
  case content(Content)
  /// The row that contains the value, the lease that keeps the object's store open, and the edits
  /// of a collection in the row that are not saved yet.
  case row(LazyRow, StoreLease?, PendingEdits)
  /// The value does not exist: its owner was deleted, or the property is nil.
  case unavailable(MagicError)
}

/// The edits of a collection that a read applies to the row. Usually there are none.
struct PendingEdits: Sendable {
  private let list: (any Sendable)?

  /// No edits.
  static var none: PendingEdits { PendingEdits(list: nil) }

  private init(list: (any Sendable)?) { self.list = list }

  init<Member>(_ edits: [LazyEdit<Member>]) { list = edits.isEmpty ? nil : edits }

  /// The edits of a collection; nil for none.
  func of<Member: Sendable>(_ type: Member.Type) -> [LazyEdit<Member>]? {
    list.flatMap { $0 as? [LazyEdit<Member>] }
  }
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
        return try resolvedRow(at: place, token, .none)
      case .box(let box, let place):
        if let token, let place, place.lazyPropertyBox?.isBeingSaved(box) ?? false,
          place.lazyOwner(inTransactionOf: token)?.identity?.store == token
        {
          return try resolvedRow(at: place, token, .none)
        }
        if let place, let edits = pendingEdits(box, at: place, token) {
          return try resolvedRow(at: place, token, edits)
        }
        guard let box = box as? LazyBox<Content> else { throw reference.missingValue }
        // Otherwise a concurrent save has released the content. Resolve the reference again.
        if let (content, _) = box.content { return .content(content) }
      }
    }
  }

  /// Returns the edits that are not in the row; nil if the box is not one of edits.
  ///
  /// - Parameter token: the database whose transaction reads. Edits that it has saved are in the row.
  private func pendingEdits(
    _ box: AnyLazyBox, at place: PropertyReference, _ token: StoreToken?
  ) -> PendingEdits? {
    func edits<Value: ObjectCollection>(_ type: Value.Type) -> PendingEdits? {
      guard let box = box as? LazyEdits<Value.Member> else { return nil }
      let saved = token == nil ? nil : place.lazyPropertyBox?.uncommittedVersion(of: box)
      return PendingEdits(box.edits(after: saved).edits)
    }
    return (Content.self as? any ObjectCollection.Type).flatMap { edits($0) }
  }

  private func resolvedRow(
    at place: PropertyReference, _ token: StoreToken?, _ edits: PendingEdits
  ) throws -> ResolvedLazyValue<Content> {
    guard let owner = place.lazyOwner(inTransactionOf: token) else {
      throw LazyReference.place(place).missingValue
    }
    guard let identity = owner.identity else {
      return .unavailable(
        owner.schema.notFound("The object was removed from its database.", at: owner.slot))
    }
    return .row(
      LazyRow(owner: owner.schema, slot: owner.slot, identity: identity), owner.lease, edits)
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
