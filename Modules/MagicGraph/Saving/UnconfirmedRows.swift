import MagicSchema

/// A captured row whose outcome may differ from the assumption.
struct UnconfirmedRow {
  // `Int32` saves memory: a large save of new objects has many of these structures.
  private let place: Int32
  /// The index in the undo log, or -1.
  private let entry: Int32
  /// The address of the object, and its schema, which is never deallocated.
  private let base: UnsafeRawPointer
  private let type: Unmanaged<ObjectSchema>
  /// Retains the object, or nil if the caller retains it.
  let holder: RetainedObjects?
  /// Whether the object is saved explicitly.
  let isRoot: Bool
  /// Whether the row was looked up in this transaction, so that another outcome is an error.
  let isExpected: Bool

  init(
    row: Int, _ object: ObjectReference, holder: RetainedObjects?, isRoot: Bool,
    logEntry: Int?, isExpected: Bool = false
  ) {
    place = Int32(truncatingIfNeeded: row)
    base = object.base
    type = .passUnretained(object.schema)
    self.holder = holder
    self.isRoot = isRoot
    self.isExpected = isExpected
    entry = Int32(truncatingIfNeeded: logEntry ?? -1)
  }

  /// The index of the row in the changeset.
  var row: Int { Int(place) }

  /// The index of the undo log entry for a new object's row ID.
  var logEntry: Int? { entry < 0 ? nil : Int(entry) }

  var object: ObjectReference {
    ObjectReference(base: base, schema: type.takeUnretainedValue())
  }
}

/// The rows of a changeset whose outcome may differ from the assumption, in order.
///
/// The first row is stored outside the array, so that the save of one object allocates nothing.
struct UnconfirmedRows {
  private var first: UnconfirmedRow?
  private var others: [UnconfirmedRow] = []
  /// The number of rows in ``others`` that ``take(_:)`` has skipped.
  private var passed = 0

  /// Whether rows were captured whose outcome is not known.
  private(set) var hasUnexpected = false

  var isEmpty: Bool { first == nil }

  mutating func append(_ row: UnconfirmedRow) {
    if !row.isExpected { hasUnexpected = true }
    if first == nil { first = row } else { others.append(row) }
  }

  /// Returns the row at an index of the changeset. Indexes must be ascending.
  mutating func take(_ row: Int) -> UnconfirmedRow? {
    if let first, first.row == row { return first }
    while passed < others.count, others[passed].row < row { passed += 1 }
    return passed < others.count && others[passed].row == row ? others[passed] : nil
  }

  mutating func removeAll() {
    first = nil
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    passed = 0
    hasUnexpected = false
  }
}
