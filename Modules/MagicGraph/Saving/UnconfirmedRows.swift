import MagicSchema

/// A captured row that may be another row than was assumed, or none.
struct UnconfirmedRow {
  // Kept small: a large save of new objects has many.
  private let place: Int32
  /// -1 where there is none.
  private let entry: Int32
  /// Where the object lies, and its type, which lives for ever.
  private let base: UnsafeRawPointer
  private let type: Unmanaged<ObjectSchema>
  /// Keeps the object where it is; nil where the caller does.
  let holder: RetainedObjects?
  /// Whether the object is saved for its own sake.
  let isRoot: Bool

  init(
    row: Int, _ object: ObjectReference, holder: RetainedObjects?, isRoot: Bool,
    logEntry: Int?
  ) {
    place = Int32(truncatingIfNeeded: row)
    base = object.base
    type = .passUnretained(object.schema)
    self.holder = holder
    self.isRoot = isRoot
    entry = Int32(truncatingIfNeeded: logEntry ?? -1)
  }

  /// Its place in the changeset.
  var row: Int { Int(place) }

  /// The place in the log where a new object's row ID was entered.
  var logEntry: Int? { entry < 0 ? nil : Int(entry) }

  var object: ObjectReference {
    ObjectReference(base: base, schema: type.takeUnretainedValue())
  }
}

/// The rows of a changeset that may turn out otherwise than was assumed, in order.
///
/// The first lies beside the others, so that the save of one object allocates nothing.
struct UnconfirmedRows {
  private var first: UnconfirmedRow?
  private var others: [UnconfirmedRow] = []
  /// How many of the others were passed by ``take(_:)``.
  private var passed = 0

  var isEmpty: Bool { first == nil }

  mutating func append(_ row: UnconfirmedRow) {
    if first == nil { first = row } else { others.append(row) }
  }

  /// The one at a place in the changeset. Asked in order.
  mutating func take(_ row: Int) -> UnconfirmedRow? {
    if let first, first.row == row { return first }
    while passed < others.count, others[passed].row < row { passed += 1 }
    return passed < others.count && others[passed].row == row ? others[passed] : nil
  }

  mutating func removeAll() {
    first = nil
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    passed = 0
  }
}
