import MagicEngine
import MagicGraph
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
  /// The keys of a dictionary, in the order of the members.
  private(set) var keys: (any LinkKeys)?
  private let column: CollectionColumn
  private let edits: [LazyEdit<Model>]
  /// The identity of the object of each edit; nil for an edit without an object.
  private let identities: [MemberIdentity?]

  /// - Parameters:
  ///   - links: the stored join rows.
  ///   - reader: the reader of the row, whose transaction may have saved some of the objects.
  init(
    _ links: FetchedLinks, applying edits: [LazyEdit<Model>], for reader: any EngineReader
  ) throws {
    column = links.column
    keys = links.keys
    self.edits = edits
    let schema = try ObjectSchema.of(Model.self)
    identities = edits.map { edit in
      edit.member.map { schema.withReference(to: $0) { MemberIdentity($0, for: reader) } }
    }
    entries = links.links.map { .stored($0.target) }
    try applyEdits(reader, schema)
  }

  private mutating func applyEdits(_ reader: any EngineReader, _ schema: ObjectSchema) throws {
    var start = 0
    for (index, edit) in edits.enumerated() {
      switch edit {
      case .insert, .remove, .setValue, .removeValue: continue
      case .removeAll: keep([])
      case .removeMatching(let filter):
        apply(start..<index)
        let rows = entries.compactMap { row(of: $0) }
        let matching = try reader.rows(rows, of: schema, matching: filter)
        keep(
          entries.indices.filter { place in
            row(of: entries[place]).map { !matching.contains($0) } ?? true
          })
      }
      start = index + 1
    }
    apply(start..<edits.count)
  }

  private mutating func apply(_ range: Range<Int>) {
    if column.kind == .dictionary { applyToKeys(range) } else { applyToMembers(range) }
  }

  /// The last removal of an object determines which of its occurrences remain.
  private mutating func applyToMembers(_ range: Range<Int>) {
    var removals: [MemberIdentity: Int] = [:]
    for index in range {
      guard case .remove = edits[index], let identity = identities[index] else { continue }
      removals[identity] = index
    }
    if !removals.isEmpty {
      keep(entries.indices.filter { removals[identity(of: entries[$0])] == nil })
    }
    for index in range {
      guard case .insert = edits[index], let identity = identities[index],
        index > removals[identity] ?? -1
      else { continue }
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

  /// The last edit of a key determines its member.
  private mutating func applyToKeys(_ range: Range<Int>) {
    guard let keys, let edited = LazyEdit.keys(of: edits[range]) else { return }
    let indexes = range.filter { edits[$0].key != nil }
    let last = edited.storedPlaces(of: edited)
    let stored = keys.storedPlaces(of: edited)
    var changes: [Int: Int] = [:]
    let new = keys.makeEmpty()
    var newEntries: [Entry] = []
    for (place, index) in indexes.enumerated() where last[place] == place {
      if let place = stored[place] {
        changes[place] = index
      } else if edits[index].member != nil {
        newEntries.append(.inserted(index))
        new.append(place, of: edited)
      }
    }
    let all = keys.makeEmpty()
    var allEntries: [Entry] = []
    for (place, entry) in entries.enumerated() {
      let change = changes[place]
      if let change, edits[change].member == nil { continue }
      allEntries.append(change.map { .inserted($0) } ?? entry)
      all.append(place, of: keys)
    }
    for (place, entry) in newEntries.enumerated() {
      allEntries.append(entry)
      all.append(place, of: new)
    }
    (entries, self.keys) = (allEntries, all)
  }

  /// Removes all entries but some.
  private mutating func keep(_ kept: [Int]) {
    keys = keys(of: kept)
    entries = kept.map { entries[$0] }
  }

  /// Returns the keys of some entries.
  func keys(of places: some Sequence<Int>) -> (any LinkKeys)? {
    guard let keys else { return nil }
    let some = keys.makeEmpty()
    for place in places { some.append(place, of: keys) }
    return some
  }

  private func identity(of entry: Entry) -> MemberIdentity {
    switch entry {
    case .stored(let rowID): .row(rowID)
    case .inserted(let index): identities[index] ?? .instance(0)
    }
  }

  private func row(of entry: Entry) -> Int64? { identity(of: entry).row }

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

  init<Model: MagicObject>(of object: Model, for reader: any EngineReader) throws {
    self = try ObjectSchema.of(Model.self).withReference(to: object) {
      MemberIdentity($0, for: reader)
    }
  }

  var row: Int64? { if case .row(let row) = self { row } else { nil } }
}
