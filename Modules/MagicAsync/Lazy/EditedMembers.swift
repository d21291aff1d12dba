import MagicEngine
import MagicSchema

/// The members of a collection in a row, with edits in memory that are not saved yet. Stored
/// members are row IDs: none of them is loaded.
struct EditedMembers<Model: MagicObject>: Sendable {
  enum Entry: Sendable {
    case stored(Int64)
    /// The object of the edit with this index.
    case inserted(Int)
  }

  /// The members in the order of the collection.
  private(set) var entries: [Entry]
  private let column: CollectionColumn
  private let edits: [LazyEdit<Model>]
  /// The identity of the object of each edit.
  private let identities: [MemberIdentity]

  /// - Parameters:
  ///   - stored: the row IDs of the stored members, in the order of the collection.
  ///   - reader: the reader of the row, whose transaction may have saved some of the objects.
  init(
    stored: [Int64], of column: CollectionColumn, applying edits: [LazyEdit<Model>],
    for reader: any EngineReader
  ) throws {
    self.column = column
    self.edits = edits
    let schema = try ObjectSchema.of(Model.self)
    identities = edits.map { edit in
      schema.withReference(to: edit.member) { MemberIdentity($0, for: reader) }
    }
    entries = stored.map { .stored($0) }
    applyEdits()
  }

  /// The last removal of an object determines which of its occurrences remain.
  private mutating func applyEdits() {
    var removals: [MemberIdentity: Int] = [:]
    for (index, edit) in edits.enumerated() {
      if case .remove = edit { removals[identities[index]] = index }
    }
    if !removals.isEmpty { entries = entries.filter { removals[identity(of: $0)] == nil } }
    for (index, edit) in edits.enumerated() {
      guard case .insert = edit, index > removals[identities[index]] ?? -1 else { continue }
      entries.append(.inserted(index))
    }
    // A set contains a member once, and so does an owned list: at the last position.
    if column.kind == .set { keepFirst() }
    if column.isOwned {
      entries.reverse()
      keepFirst()
      entries.reverse()
    }
  }

  private mutating func keepFirst() {
    var known = Set<MemberIdentity>(minimumCapacity: entries.count)
    entries = entries.filter { known.insert(identity(of: $0)).inserted }
  }

  private func identity(of entry: Entry) -> MemberIdentity {
    switch entry {
    case .stored(let rowID): .row(rowID)
    case .inserted(let index): identities[index]
    }
  }

  /// The inserted object of an entry; nil for a stored member.
  func inserted(_ entry: Entry) -> Model? {
    if case .inserted(let index) = entry { edits[index].member } else { nil }
  }
}

/// What identifies a member among those of one collection: its row, or the instance of an object
/// without a row in the database.
enum MemberIdentity: Hashable, Sendable {
  case row(Int64)
  case instance(UInt)

  init(_ object: ObjectReference, for reader: any EngineReader) {
    let identity =
      reader.isWriting ? object.identity(inTransactionOf: reader.token) : object.identity
    self =
      if let identity, identity.store == reader.token {
        .row(identity.zIndex.rawValue)
      } else {
        .instance(object.instanceKey)
      }
  }
}
