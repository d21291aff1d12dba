import MagicEngine
import MagicSchema

/// Saves objects and all objects that they refer to. Each object is saved once, without recursion.
///
/// The targets of an object's to-one relationships are captured before the object. If one of them
/// refers to the object, the row ID of the object is reserved before its row is written. Members of
/// collections follow their owner. Join rows are written after all objects have rows.
final class GraphSaver {
  let objects: ObjectTransaction
  var engine: any EngineTransaction { objects.engine }
  var store: StoreToken { objects.store }

  /// The objects whose relationships were visited, by instance key.
  @exclusivity(unchecked) var visited: InstanceKeys = []
  /// The objects whose rows were deleted, by instance key.
  @exclusivity(unchecked) var deleted: Set<UInt> = []
  /// Retains the objects whose instance keys are in the sets, so that the keys are not reused.
  @exclusivity(unchecked) private var holders: [RetainedObjects] = []
  /// The first and the last row ID that this save has reserved, by type ordinal; nil for none. All
  /// row IDs between them were also reserved by this save.
  @exclusivity(unchecked) private var reserved: [ClosedRange<Int64>?] = []
  /// The objects that are saved explicitly, even if they were deleted before, by instance key.
  @exclusivity(unchecked) var explicit: Set<UInt> = []
  @exclusivity(unchecked) var frames: [Frame] = []
  @exclusivity(unchecked) var queue: [WorkItem] = []
  /// The members without relationships that are being visited, and the index of the next one. Only set on
  /// an engine that looks rows up together.
  @exclusivity(unchecked) var leaves: (objects: RetainedObjects, next: Int)?
  /// The object whose collections are being visited, and the index of the next one; like ``leaves``.
  @exclusivity(unchecked) var owner: (object: ObjectReference, next: Int)?
  @exclusivity(unchecked) var collections: [CapturedCollection] = []
  /// The objects with reserved row IDs that are not captured yet, by instance key.
  @exclusivity(unchecked) var reservedRows: [UInt: ReservedRow] = [:]
  /// The row IDs that the program has chosen for some of these objects, by type ordinal. The engine
  /// could reserve them again, because it does not know them yet.
  @exclusivity(unchecked) var chosenRowIDs: [Int: Set<Int64>] = [:]
  /// The written to-one relationships. At the end of the save, their targets are checked.
  @exclusivity(unchecked) var references: [WrittenReference] = []
  /// The written collections with members that this transaction did not insert.
  @exclusivity(unchecked) var memberships: [WrittenMembers] = []
  /// The owners of relationships that were edited through their inverse.
  @exclusivity(unchecked) var inverseOwners: [RetainedObjects] = []
  /// The edits of inverse relationships that this save has made.
  @exclusivity(unchecked) var inverseEdits: Set<ObjectIdentifier> = []
  /// The links of the collections without members, which are never changed, by column.
  @exclusivity(unchecked) private var emptyLists: [ObjectIdentifier: LinkList] = [:]
  @exclusivity(unchecked) var cancellation = CancellationCheck()

  /// An object that is being saved.
  struct Frame {
    let object: ObjectReference
    /// Retains the object, or nil if the caller retains it.
    let holder: RetainedObjects?
    let toOnes: [CapturedLink]
    var next = 0
    let isRoot: Bool
    /// The place of the object in an owned list, if a new owner of the list was visited before.
    let place: OwnedPlace?
    /// The stored row that the object is merged into, if it was found before the to-ones.
    var merged: Int64?
  }

  /// A work item of the save.
  enum WorkItem {
    /// Objects from an index on, with the place of the first object in an owned list.
    case objects(RetainedObjects, Int, OwnedPlace? = nil)
    case row(PackedRow)
    /// Rows from an index on.
    case rows(LinkSlice, Int)
  }

  /// A reference to an object with a reserved row ID that is not captured yet.
  struct ReservedRow {
    let object: RetainedObjects
    let rowID: Int64
    /// Whether the row exists already: a stored row has the object's primary value.
    let isStored: Bool
  }

  init(_ objects: ObjectTransaction) {
    self.objects = objects
  }

  /// Marks an object that the caller saves explicitly, even if another object of the save refers to
  /// it.
  ///
  /// - Parameter isReached: whether an earlier object may refer to this object. If its row was
  ///   deleted, the reference must not be removed then.
  func markExplicit(_ object: ObjectReference, isReached: Bool) {
    if isReached || isDeleted(object) { explicit.insert(object.instanceKey) }
  }

  /// Saves an object and all objects that it refers to.
  ///
  /// - Returns: the object's row ID.
  func save(_ object: ObjectReference) throws -> ZIndex {
    try visit(object, holder: nil, isRoot: true)
    try drainQueue()
    try captureReservedRows()
    if !inverseOwners.isEmpty { try saveInverseOwners() }
    if collections.count >= Self.collectionLimit { try writeCollections() }
    guard let identity = object.identity(inTransactionOf: store) else {
      throw MagicError(.notSaved, "The object was not saved.", type: object.schema.typeName)
    }
    return identity.zIndex
  }

  /// Returns the place of the first member in the list of a new owner; nil for other collections, and
  /// if triggers of users may change the members.
  func firstPlace(in captured: CapturedCollection) -> OwnedPlace? {
    guard captured.column.isOwned, captured.state == .new, !objects.isOneByOne else { return nil }
    return OwnedPlace(
      list: OwnedList(owner: captured.owner, collection: captured.collection),
      ownerID: captured.ownerID, index: 0)
  }

  /// The number of collections that are captured before their join rows are written.
  static var collectionLimit: Int { 4096 }

  /// Returns the links of a new collection without members.
  func emptyList(of column: CollectionColumn, _ target: ObjectSchema) -> LinkList {
    let key = ObjectIdentifier(column)
    if let list = emptyLists[key] { return list }
    let list = LinkList(column, target: target, keys: column.makeKeys())
    emptyLists[key] = list
    return list
  }

  /// Records that the row of a member was deleted.
  func noteDeleted(_ object: ObjectReference, _ holder: RetainedObjects?) {
    deleted.insert(object.instanceKey)
    retain(holder)
  }

  func retain(_ holder: RetainedObjects?) {
    if let holder, holders.last !== holder { holders.append(holder) }
  }

  func noteReserved(_ rowID: Int64, of schema: ObjectSchema) {
    while reserved.count <= schema.ordinal { reserved.append(nil) }
    guard let range = reserved[schema.ordinal] else {
      return reserved[schema.ordinal] = rowID...rowID
    }
    reserved[schema.ordinal] = min(rowID, range.lowerBound)...max(rowID, range.upperBound)
  }

  /// Returns whether the program has chosen a row ID for an object that is captured later.
  func isChosen(_ rowID: Int64, of schema: ObjectSchema) -> Bool {
    !chosenRowIDs.isEmpty && chosenRowIDs[schema.ordinal]?.contains(rowID) == true
  }

  /// Returns whether this save has inserted or will insert a row.
  func hasReserved(_ rowID: Int64, of schema: ObjectSchema) -> Bool {
    schema.ordinal < reserved.count && reserved[schema.ordinal]?.contains(rowID) == true
  }

  /// Writes the remaining changes after all objects are captured.
  func finish() throws {
    try objects.flush()
    try writeCollections()
    try correctReservedReferences()
    if engine.hasBrokenReferences { try removeBrokenReferences() }
  }

  /// Visits the objects and rows of the queue until it is empty.
  func drainQueue() throws {
    try writeFrames()
    while let next = queue.popLast() {
      try cancellation.count()
      switch next {
      case .objects(let objects, let index, let place):
        if index + 1 < objects.count { queue.append(.objects(objects, index + 1, place)) }
        try visit(objects[index], holder: objects, isRoot: false, place: place?.at(index))
        try writeFrames()
      case .row(let row):
        try visit(row)
      case .rows(let slice, let index):
        if index + 1 < slice.count { queue.append(.rows(slice, index + 1)) }
        try visit(slice.list.rows[slice.start + index])
      }
    }
  }
}
