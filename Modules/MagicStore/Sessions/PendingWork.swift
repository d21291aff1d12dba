import MagicGraph
import MagicSchema

/// The work of a session that is not in the database yet: saves and deletions in their order, at
/// most one of each instance.
struct PendingWork: Sendable {
  enum Operation: Sendable {
    case save(Saving)
    /// Deletes an object.
    ///
    /// - Parameter isNewAllowed: whether an object without a row is no error, because it was added
    ///   before.
    case delete(isNewAllowed: Bool)
  }

  /// What the save of a new object does if its primary value or key is stored.
  enum Saving: Sendable {
    /// Throws.
    case insert
    /// Updates the row.
    case update
    /// Updates the assigned properties in the row.
    case merge
  }

  struct Entry: Sendable {
    let object: any MagicObject
    /// The instance of the object; nil if its type cannot be stored. Saving it throws the reason.
    let key: UInt?
    var operation: Operation

    /// Creates an entry. The first use of a type runs code of the user, so no lock may be held.
    init(_ object: any MagicObject, _ operation: Operation) {
      self.object = object
      self.operation = operation
      key = Self.key(of: object)
    }

    private static func key<Model: MagicObject>(of object: Model) -> UInt? {
      (try? ObjectSchema.of(Model.self))?.withReference(to: object) { $0.instanceKey }
    }
  }

  /// Nil for an entry that a later one has replaced, so that the list has an entry if it is not
  /// empty.
  private var storage: [Entry?] = []
  /// The index of the entry of each instance, by instance key. The entries retain the instances.
  private var indexes: [UInt: Int] = [:]

  var isEmpty: Bool { storage.isEmpty }
  var entries: [Entry] { storage.compactMap { $0 } }

  /// Adds an object to save. An object that was added keeps its position, and one that was to be
  /// deleted is saved instead.
  mutating func add(_ entry: Entry) {
    guard let key = entry.key else { return storage.append(entry) }
    if let index = indexes[key] {
      if case .save = storage[index]?.operation { return storage[index] = entry }
      storage[index] = nil
    }
    indexes[key] = storage.count
    storage.append(entry)
  }

  /// Adds an object to delete. If it was added before, it is not saved.
  mutating func delete(_ entry: Entry) {
    guard let key = entry.key else { return storage.append(entry) }
    var entry = entry
    if let index = indexes[key] {
      guard case .save = storage[index]?.operation else { return }
      entry.operation = .delete(isNewAllowed: true)
      storage[index] = nil
    }
    indexes[key] = storage.count
    storage.append(entry)
  }

  /// Adds the work of another session after this work.
  mutating func append(_ other: PendingWork) {
    guard !isEmpty else { return self = other }
    for case let entry? in other.storage {
      if case .save = entry.operation { add(entry) } else { delete(entry) }
    }
  }

  /// Returns whether the work saves the object of an entry.
  func saves(_ entry: Entry) -> Bool {
    guard let index = entry.key.flatMap({ indexes[$0] }) else { return false }
    if case .save = storage[index]?.operation { return true }
    return false
  }

  /// The objects that are saved in one way, by instance key.
  private func keys(of saving: Saving) -> Set<UInt> {
    Set(
      indexes.lazy.filter { _, index in
        if case .save(saving) = storage[index]?.operation { true } else { false }
      }.map(\.key))
  }
}

extension PendingWork {
  /// Executes the work in a transaction, in order. Consecutive saves are one call, and so are
  /// consecutive deletions.
  func execute(in transaction: ObjectTransaction) throws {
    let rules = SavingRules(insertions: keys(of: .insert), merges: keys(of: .merge))
    let merged = entries.filter(\.isMerge).map(\.object)
    var rest = entries[...]
    while let first = rest.first {
      let group = rest.prefix { $0.isSave == first.isSave }
      rest = rest.dropFirst(group.count)
      if first.isSave {
        _ = try transaction.merge(group.map(\.object), rules, merged)
      } else {
        try transaction.remove(group.filter { try $0.isExecuted(in: transaction) }.map(\.object))
      }
    }
  }
}

extension PendingWork.Entry {
  fileprivate var isSave: Bool {
    if case .save = operation { true } else { false }
  }

  fileprivate var isMerge: Bool {
    if case .save(.merge) = operation { true } else { false }
  }

  /// Whether the object is saved or deleted. An object that was added and deleted again before it
  /// was saved is not.
  fileprivate func isExecuted(in transaction: ObjectTransaction) throws -> Bool {
    guard case .delete(isNewAllowed: true) = operation else { return true }
    return try transaction.hasRow(object)
  }
}
