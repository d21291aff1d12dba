import MagicSchema

/// The stored rows of new objects that are saved next, which were looked up together.
///
/// An object's rows are valid until it is captured, or until the transaction writes a row that is not the
/// expected one of these objects and could have one of their primary values or keys.
struct LookedUpRows {
  /// The rows that have the values of an object. Nil for no row.
  struct Rows {
    let key: Int64?
    let primary: Int64?
    /// The version of the row that the object is written to, if its type has versions.
    var version: Int?
    /// The primary value of the row with the key.
    var storedPrimary: PropertyReference?
    /// The hash value of the primary value and the key.
    let hash: Int

    /// The rows of an object without a primary value and a key.
    static var none: Rows { Rows(key: nil, primary: nil, hash: 0) }
  }

  /// The rows, by the instance key of the object.
  private var rows: [UInt: Rows] = [:]
  /// Retains the objects whose instance keys are in the dictionary.
  private var holders: [RetainedObjects] = []
  /// The types with auto-increment primaries of which objects with a value were looked up.
  private var chosen: Set<ObjectIdentifier> = []
  /// The number of objects that are looked up together.
  private var limit = Self.firstLimit
  /// The number of objects that were collected, and of those that were captured with their rows.
  private var (count, used) = (0, 0)
  /// The number of objects that were looked up alone, because few rows were used.
  private var alone = 0

  private static var firstLimit: Int { 32 }
  /// The number of objects after which looking up together is tried again.
  private static var pause: Int { 64 }

  subscript(object: ObjectReference) -> Rows? { rows[object.instanceKey] }

  /// Discards the rows, and returns the number of objects to look up next: more if most of the last ones
  /// were captured with their rows, else fewer. Nil if the next object is looked up alone.
  mutating func restart(upTo maximum: Int) -> Int? {
    removeAll()
    if count > 0 { limit = used * 2 >= count ? min(limit * 4, maximum) : limit / 2 }
    (count, used) = (0, 0)
    guard limit < 8 else { return limit }
    alone += 1
    guard alone > Self.pause else { return nil }
    (alone, limit) = (0, Self.firstLimit)
    return limit
  }

  /// Records that objects were collected.
  mutating func note(_ upcoming: UpcomingObjects) {
    count = upcoming.count
    holders = upcoming.holders
  }

  mutating func add(_ found: Rows, of object: ObjectReference) { rows[object.instanceKey] = found }

  /// Records that an object has no primary value and no key.
  mutating func noteUnidentified(_ object: ObjectReference) { rows[object.instanceKey] = Rows.none }

  /// Records that objects with a value of an auto-increment primary were looked up.
  mutating func noteChosenPrimaries(of schema: ObjectSchema) {
    chosen.insert(ObjectIdentifier(schema))
  }

  /// Records that an auto-increment primary got its next value, which a looked-up object may have.
  mutating func noteAssignedPrimary(of schema: ObjectSchema) {
    if chosen.contains(ObjectIdentifier(schema)) { removeAll() }
  }

  /// Records that a row is inserted for an object.
  ///
  /// - Returns: whether no row has its primary value or its key.
  mutating func noteInserted(_ object: ObjectReference) -> Bool {
    if let known = rows.removeValue(forKey: object.instanceKey), known.key == nil,
      known.primary == nil
    {
      used += 1
      return true
    }
    removeAll()
    return false
  }

  /// Records that an object is written to a stored row.
  ///
  /// - Returns: its rows; nil if the row was not looked up.
  mutating func noteMatched(_ object: ObjectReference, _ row: Int64) -> Rows? {
    if let known = rows.removeValue(forKey: object.instanceKey),
      row == (object.schema.key.isEmpty ? known.primary : known.key)
    {
      used += 1
      return known
    }
    removeAll()
    return nil
  }

  /// Discards the rows, because others were written.
  mutating func removeAll() {
    guard !rows.isEmpty else { return }
    rows.removeAll(keepingCapacity: true)
    holders.removeAll()
    chosen.removeAll()
  }
}
