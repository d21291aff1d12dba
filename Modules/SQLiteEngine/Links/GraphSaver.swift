import MagicSQLite
import MagicSchema
import SQLiteTables

/// Saves objects with all that they lead to, each once, without recursion.
///
/// An object is written after what its to-ones lead to, whose z-indexes its row needs; where they
/// lead back to it, the column is filled in at the end. Members of collections follow their owner,
/// and links are written when everything has its row.
final class GraphSaver {
  let transaction: WriteTransaction
  var store: StoreConnection { transaction.store }

  /// Objects whose relationships were walked, by their instance.
  @exclusivity(unchecked) var visited: Set<UInt> = []
  /// Objects that are saved for their own sake, even if they were removed before.
  @exclusivity(unchecked) var wanted: Set<UInt> = []
  /// Members whose row is gone.
  @exclusivity(unchecked) var gone: Set<UInt> = []
  /// Keeps the objects that are known by their instances, so that none gets another's place.
  @exclusivity(unchecked) var holders: [RetainedObjects] = []
  @exclusivity(unchecked) var frames: [Frame] = []
  @exclusivity(unchecked) var waiting: [Waiting] = []
  @exclusivity(unchecked) var links: [LinkJob] = []
  @exclusivity(unchecked) var buffers: [LinkBuffer] = []
  @exclusivity(unchecked) var openEnds: [OpenEnd] = []
  /// What a required to-one holds as long as its end is open: no row, and another each time, for
  /// the column may be unique.
  var nowhere = Int64.min
  /// Links that were written to rows nobody looked at.
  @exclusivity(unchecked) var trusted: [TrustedLink] = []
  @exclusivity(unchecked) var linkCancellation = CancellationCheck()

  /// An object that is being saved.
  struct Frame {
    let object: ObjectReference
    /// Keeps the object where it is; nil where the caller does.
    let holder: RetainedObjects?
    let statements: TypeStatements
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

  /// A to-one that leads to an object which had no row yet.
  struct OpenEnd {
    let owner: ObjectReference
    let holder: RetainedObjects?
    let zIndex: Int64
    let toOne: Int
    let target: RetainedObjects
  }

  init(_ transaction: WriteTransaction) {
    self.transaction = transaction
  }

  /// An object that the caller asks to save, whichever other leads to it first.
  ///
  /// - Parameter isReached: whether an object before it may lead to it. Where its row is gone it is
  ///   not taken for a mere member then.
  func markExplicit(_ object: ObjectReference, isReached: Bool) {
    if isReached || isGone(object) { wanted.insert(object.instanceKey) }
  }

  /// Saves an object and all it leads to.
  ///
  /// - Returns: the object's z-index.
  func save(_ object: ObjectReference) throws -> ZIndex {
    try visit(object, holder: nil, isRoot: true)
    try writeFrames()
    var cancellation = CancellationCheck()
    try drainQueue(&cancellation)
    try closeEnds(&cancellation)
    for job in links { try mapping(job.owner) { try LinkWriter(job, saver: self).write() } }
    links.removeAll(keepingCapacity: true)
    guard let identity = object.identity(inTransactionOf: store.token) else {
      throw MagicError(.notSaved, "The object was not saved.", type: object.schema.typeName)
    }
    return identity.zIndex
  }

  /// Writes what is left when all objects are saved.
  func flush() throws {
    for buffer in buffers { try mapping { try buffer.flush() } }
    if !trusted.isEmpty { try dropBrokenLinks() }
  }

  /// Where new links of a collection are gathered.
  func buffer(of statements: LinkStatements) -> LinkBuffer {
    if let known = buffers.first(where: { $0.statements === statements }) { return known }
    let buffer = LinkBuffer(statements)
    buffers.append(buffer)
    return buffer
  }

  /// Visits what waits, until nothing does.
  func drainQueue(_ cancellation: inout CancellationCheck) throws {
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
