import MagicSchema

/// A captured row that may be another row than was assumed, or none.
struct OpenQuestion {
  /// Its place in the changeset.
  let row: Int
  /// Where the object lies, and its type, which lives for ever.
  private let base: UnsafeRawPointer
  private let type: Unmanaged<ObjectSchema>
  /// Keeps the object where it is; nil where the caller does.
  let holder: RetainedObjects?
  /// Whether the object is saved for its own sake.
  let isRoot: Bool
  /// The place in the log where a new object's row ID was entered.
  let logged: Int?
  /// The place among the results.
  let result: Int?

  init(
    row: Int, _ object: ObjectReference, holder: RetainedObjects?, isRoot: Bool, logged: Int?,
    result: Int?
  ) {
    self.row = row
    base = object.base
    type = .passUnretained(object.schema)
    self.holder = holder
    self.isRoot = isRoot
    self.logged = logged
    self.result = result
  }

  var object: ObjectReference {
    ObjectReference(base: base, schema: type.takeUnretainedValue())
  }
}

/// The rows of a changeset of which the engine may say something, in order.
///
/// The first lies beside the others, so that the save of one object allocates nothing.
struct OpenQuestions {
  private var first: OpenQuestion?
  private var others: [OpenQuestion] = []
  /// How many of them are before the last answer.
  private var passed = 0

  var isEmpty: Bool { first == nil }

  mutating func append(_ question: OpenQuestion) {
    if first == nil { first = question } else { others.append(question) }
  }

  /// The question of a row. Rows are asked for in order.
  mutating func question(ofRow row: Int) -> OpenQuestion? {
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
