import MagicSchema

/// The stored rows of new objects that are saved next, which were looked up together.
///
/// The rows are valid until the transaction writes a row that is not the expected one of these
/// objects, and could have one of their primary values or keys.
struct LookedUpRows {
  /// The rows that have the values of an object. Nil for no row.
  struct Rows {
    let key: Int64?
    let primary: Int64?
    /// The row that the object is written to, if its version or its primary value is needed.
    let stored: PackedRow?
  }

  /// The rows, by the instance key of the object.
  private var rows: [UInt: Rows] = [:]
  /// Retains the objects whose instance keys are in the dictionary.
  private var holders: [RetainedObjects] = []
  /// Retains the stored rows.
  private var chunks: [RowChunk] = []
  /// The number of objects that are looked up together.
  private var limit = 32
  /// The number of objects that were looked up together, and of those that were saved then.
  private var (count, used) = (0, 0)

  subscript(object: ObjectReference) -> Rows? { rows[object.instanceKey] }

  /// Returns the number of objects to look up next: more if most of the last ones were saved before
  /// their rows became invalid, else fewer.
  mutating func nextLimit(upTo maximum: Int) -> Int {
    if count > 0 { limit = used * 2 >= count ? min(limit * 4, maximum) : max(limit / 2, 1) }
    (count, used) = (0, 0)
    return limit
  }

  mutating func add(_ found: Rows, of object: ObjectReference) {
    rows[object.instanceKey] = found
    count += 1
  }

  mutating func retain(_ objects: [RetainedObjects]) { holders = objects }

  mutating func retain(_ fetched: [RowChunk]) { chunks += fetched }

  /// Returns a stored value of the row that an object is written to; nil if the row was not fetched.
  func storedValue(of column: Int, for object: ObjectReference) -> PropertyReference? {
    self[object]?.stored.map {
      PropertyReference(
        storage: $0.chunk.rootStorage,
        location: PropertyReference.location(row: $0, column: column))
    }
  }

  /// Records that a row is inserted for an object.
  ///
  /// - Returns: whether no row has its primary value or its key.
  mutating func noteInserted(_ object: ObjectReference) -> Bool {
    if let known = rows[object.instanceKey], known.key == nil, known.primary == nil {
      used += 1
      return true
    }
    removeAll()
    return false
  }

  /// Records that an object is written to a stored row.
  ///
  /// - Returns: whether the row was looked up.
  mutating func noteMatched(_ object: ObjectReference, _ row: Int64) -> Bool {
    if let known = rows[object.instanceKey],
      row == (object.schema.key.isEmpty ? known.primary : known.key)
    {
      used += 1
      return true
    }
    removeAll()
    return false
  }

  /// Discards the rows, because others were written.
  mutating func removeAll() {
    guard !rows.isEmpty else { return }
    rows.removeAll(keepingCapacity: true)
    holders.removeAll()
    chunks.removeAll()
  }
}
