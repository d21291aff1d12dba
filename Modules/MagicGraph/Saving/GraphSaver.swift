import MagicEngine
import MagicSchema

/// Saves objects with all that they refer to, each once, without recursion.
///
/// An object is captured after what its to-ones refer to. Where they refer back to it, its row ID is
/// reserved before the row is written. Members of collections follow their owner, and join rows are
/// written when everything has its row.
final class GraphSaver {
  let objects: ObjectTransaction
  var engine: any EngineTransaction { objects.engine }
  var store: StoreToken { objects.store }

  /// Objects whose relationships were walked, by their instance.
  @exclusivity(unchecked) var visited: Set<UInt> = []
  /// Objects whose row is gone, by their instance.
  @exclusivity(unchecked) var gone: Set<UInt> = []
  /// Keeps the objects that are known by their instances, so that none gets another's place.
  @exclusivity(unchecked) private var holders: [RetainedObjects] = []
  /// The first row ID that this save has reserved, by type. Rows from there on are its own.
  @exclusivity(unchecked) private var firstReserved: [Int64] = []
  /// Objects that are saved for their own sake, even if they were removed before.
  @exclusivity(unchecked) var wanted: Set<UInt> = []
  @exclusivity(unchecked) var frames: [Frame] = []
  @exclusivity(unchecked) var waiting: [Waiting] = []
  @exclusivity(unchecked) var collections: [CapturedCollection] = []
  /// Objects that rows refer to and that are not captured yet, by their instance.
  @exclusivity(unchecked) var promises: [UInt: Promise] = [:]
  /// To-ones that were written, until it is known that their targets are there.
  @exclusivity(unchecked) var references: [WrittenReference] = []
  /// Collections that were written with members that this transaction did not insert.
  @exclusivity(unchecked) var memberships: [WrittenMembers] = []
  @exclusivity(unchecked) var cancellation = CancellationCheck()

  /// An object that is being saved.
  struct Frame {
    let object: ObjectReference
    /// Keeps the object where it is; nil where the caller does.
    let holder: RetainedObjects?
    let toOnes: [CapturedLink]
    var next = 0
    let isRoot: Bool
  }

  /// What is to be looked at next.
  enum Waiting {
    /// Objects from a place on.
    case objects(RetainedObjects, Int)
    case row(PackedRow)
    /// Rows from a place on.
    case rows(LinkSlice, Int)
  }

  /// The row ID of an object that is not captured yet.
  struct Promise {
    let object: RetainedObjects
    let rowID: Int64
    /// Whether the row is there: it has the object's primary.
    let isStored: Bool
  }

  init(_ objects: ObjectTransaction) {
    self.objects = objects
  }

  /// An object that the caller asks to save, whichever other refers to it first.
  ///
  /// - Parameter isReached: whether an object before it may refer to it. Where its row is gone it is
  ///   not taken for a mere member then.
  func markExplicit(_ object: ObjectReference, isReached: Bool) {
    if isReached || isGone(object) { wanted.insert(object.instanceKey) }
  }

  /// Saves an object and all it refers to.
  ///
  /// - Returns: the object's row ID.
  func save(_ object: ObjectReference) throws -> ZIndex {
    try visit(object, holder: nil, isRoot: true)
    try drainQueue()
    try fulfilPromises()
    if collections.count >= Self.collectionLimit { try writeCollections() }
    guard let identity = object.identity(inTransactionOf: store) else {
      throw MagicError(.notSaved, "The object was not saved.", type: object.schema.typeName)
    }
    return identity.zIndex
  }

  /// How many collections are captured before their join rows are written.
  static var collectionLimit: Int { 4096 }

  /// A member has no row any more.
  func noteGone(_ object: ObjectReference, _ holder: RetainedObjects?) {
    gone.insert(object.instanceKey)
    keep(holder)
  }

  func keep(_ holder: RetainedObjects?) {
    if let holder, holders.last !== holder { holders.append(holder) }
  }

  func noteReserved(_ rowID: Int64, of schema: ObjectSchema) {
    while firstReserved.count <= schema.ordinal { firstReserved.append(.max) }
    if rowID < firstReserved[schema.ordinal] { firstReserved[schema.ordinal] = rowID }
  }

  /// Whether a row is one that this save has inserted, or will.
  func hasReserved(_ rowID: Int64, of schema: ObjectSchema) -> Bool {
    schema.ordinal < firstReserved.count && rowID >= firstReserved[schema.ordinal]
  }

  /// Writes what is left when all objects are captured.
  func finish() throws {
    try objects.flush()
    try writeCollections()
    try correctPromisedReferences()
    if engine.hasBrokenReferences { try removeBrokenReferences() }
  }

  /// Visits what waits, until nothing does.
  func drainQueue() throws {
    try writeFrames()
    while let next = waiting.popLast() {
      try cancellation.count()
      switch next {
      case .objects(let objects, let index):
        if index + 1 < objects.count { waiting.append(.objects(objects, index + 1)) }
        try visit(objects[index], holder: objects, isRoot: false)
        try writeFrames()
      case .row(let row):
        try visit(row)
      case .rows(let slice, let index):
        if index + 1 < slice.count { waiting.append(.rows(slice, index + 1)) }
        try visit(slice.list.rows[slice.start + index])
      }
    }
  }
}
