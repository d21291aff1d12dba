import MagicEngine
import MagicSchema

extension GraphSaver {
  /// What a to-one's column gets.
  enum LinkTarget {
    case none
    case row(Int64)
    /// An object without a row.
    case promised(RetainedObjects)
  }

  func target(of link: CapturedLink) -> LinkTarget {
    switch link.target {
    case .none, .lost: return .none
    case .kept(let kept): return kept.store == store ? .row(kept.zIndex) : .none
    case .row(let row):
      if isUntouched(row) { return .row(row.zIndex) }
      let held = row.chunk.schema.makeRetainedObject(from: row)
      return withExtendedLifetime(held) { target(of: held) }
    case .object(let held): return target(of: held)
    }
  }

  private func target(of held: RetainedObjects) -> LinkTarget {
    let object = held[0]
    if !wanted.contains(object.instanceKey), isGone(object) { return .none }
    guard let identity = object.identity(inTransactionOf: store), identity.store == store else {
      return .promised(held)
    }
    return .row(identity.zIndex.rawValue)
  }

  /// The row ID of an object that is captured later.
  func promise(_ held: RetainedObjects) throws -> Promise {
    let object = held[0]
    if let known = promises[object.instanceKey] { return known }
    try objects.prepareTable(of: object.schema)
    let promise: Promise
    if let rowID = try objects.storedRow(of: object) {
      promise = Promise(object: held, rowID: rowID, isStored: true)
    } else {
      let rowID = try objects.reserve(object.schema, isAhead: true)
      promise = Promise(object: held, rowID: rowID, isStored: false)
    }
    promises[object.instanceKey] = promise
    return promise
  }

  /// Captures the objects that rows refer to and that nothing has captured since.
  func fulfilPromises() throws {
    while let (key, promise) = promises.first {
      try visit(promise.object[0], holder: promise.object, isRoot: false)
      try drainQueue()
      // Another task may have removed it.
      promises[key] = nil
    }
  }

  /// Rows that refer to an object which became another row than was promised, or none, are corrected.
  func correctPromisedReferences() throws {
    for reference in references {
      guard let promised = reference.promised else { continue }
      let actual = row(of: promised[0])
      if actual != reference.target { try correct(reference, to: actual) }
    }
    try objects.flush()
  }

  /// Refers to another row, or to none.
  func correct(_ reference: WrittenReference, to target: Int64?) throws {
    let schema = reference.owner.schema
    let (column, toOne) = schema.toOnes[reference.toOne]
    if target == nil {
      guard toOne.isNullable else { throw missing(toOne, schema) }
      let (store, old) = (store, reference.target)
      let property = reference.owner.property(column)
      objects.log.onCommit {
        toOne.clear(property) { object in
          object.identity == nil
            || object.identity == RowIdentity(store: store, zIndex: ZIndex(rawValue: old))
        }
      }
    }
    try objects.captureReference(
      reference.owner, reference.ownerID, column, to: target, holder: reference.holder)
    objects.log.note(
      toOne.recordSaved(target, of: store, in: reference.owner.property(column)))
  }

  /// The row a member is; nil where it is none any more.
  func row(of object: ObjectReference) -> Int64? {
    if isGone(object) { return nil }
    guard let identity = object.identity(inTransactionOf: store), identity.store == store else {
      return nil
    }
    return identity.zIndex.rawValue
  }
}
