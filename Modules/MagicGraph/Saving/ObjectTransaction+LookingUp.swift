import MagicEngine
import MagicSchema

/// Looks up the stored rows of new objects together with those of the objects that are saved next, so
/// that neither the lookups nor the rows between them need a call of the engine for each object.
extension ObjectTransaction {
  /// The number of objects from which they are looked up together, if each could be written without a
  /// lookup.
  private static var lookUpMinimum: Int { 8 }

  /// Returns the rows with a new object's primary value and key. Nil if they must be looked up alone.
  func lookedUpRows(of object: ObjectReference) throws -> LookedUpRows.Rows? {
    // A value that the caller is changing must not be read.
    guard let lookAhead, ownChanges == nil, !isOneByOne, object.schema.isComparedByBytes
    else { return nil }
    guard object.hasIdentityValue else {
      lookAhead.rows.noteUnidentified(object)
      return LookedUpRows.Rows.none
    }
    if let known = lookAhead.rows[object] {
      // Another task, or the edit of an inverse relationship, may have changed the object.
      if try hash(of: object, lookAhead.values) == known.hash { return known }
      lookAhead.rows.removeAll()
    }
    try lookUpRows(from: object, lookAhead)
    return lookAhead.rows[object]
  }

  /// Returns the row with the primary value of an object of a graph, if it was looked up: so the rows after
  /// it can be captured before it is written.
  func primaryRow(inGraph object: ObjectReference, isRoot: Bool) throws -> Int64? {
    guard lookAhead != nil, graph != nil, !rules.requiresInsertion(of: object, isRoot: isRoot)
    else { return nil }
    return try lookedUpRows(of: object)?.primary
  }

  /// Discards the looked-up rows if columns are changed that identify rows, or versions.
  func noteChanged(_ columns: ColumnSet, of schema: ObjectSchema) {
    guard let lookAhead, schema.identifiesRows else { return }
    if schema.version != nil || schema.identityColumns.contains(where: { columns.contains($0) }) {
      lookAhead.rows.removeAll()
    }
  }

  private func lookUpRows(from first: ObjectReference, _ lookAhead: LookAhead) throws {
    guard let limit = lookAhead.rows.restart(upTo: engine.lookUpLimit) else { return }
    var upcoming = UpcomingObjects(limit: limit, store: store, visited: graph?.visited ?? [])
    try upcoming.add(first)
    try graph?.addUpcoming(to: &upcoming)
    if let roots = lookAhead.roots {
      for index in lookAhead.nextRoot..<max(lookAhead.nextRoot, roots.count) {
        if upcoming.isFull { break }
        try upcoming.add(roots[index])
      }
    }
    let mustLookUp = !first.schema.key.isEmpty || first.schema.hasRowIDPrimary
    guard mustLookUp || upcoming.count >= Self.lookUpMinimum else { return }
    // Rows that were captured before may have the same values.
    try flush()
    lookAhead.rows.note(upcoming)
    for (schema, objects) in upcoming.groups { try lookUp(objects, schema, lookAhead) }
    guard engine.hasUserTriggers else { return }
    // They may insert rows.
    lookAhead.rows.removeAll()
    self.lookAhead = nil
  }

  private func lookUp(
    _ objects: [ObjectReference], _ schema: ObjectSchema, _ lookAhead: LookAhead
  ) throws {
    guard schema.isComparedByBytes, try engine.hasCurrentTable(of: schema) else { return }
    let byPrimary = try rows(
      of: objects, with: schema.primary.map { [$0] } ?? [], schema, lookAhead.values)
    let byKey = try rows(of: objects, with: schema.key, schema, lookAhead.values)
    let written = schema.key.isEmpty ? byPrimary : byKey
    var versions: [Int64: Int] = [:]
    if schema.version != nil {
      versions = try engine.versions(ofRows: written.compactMap(\.rowID), of: schema)
    }
    let primaries = try schema.primary.map {
      try engine.storedValues(of: $0, inRows: byKey.compactMap(\.rowID), of: schema)
    }
    for (index, object) in objects.enumerated() {
      guard case .known(let primary, let first) = byPrimary[index],
        case .known(let key, let second) = byKey[index]
      else { continue }
      let version = written[index].rowID.flatMap { versions[$0] }
      lookAhead.rows.add(
        LookedUpRows.Rows(
          key: key, primary: primary, version: version,
          storedPrimary: key.flatMap { primaries?[$0] }, hash: first ^ second),
        of: object)
    }
    if schema.autoIncrementPrimary != nil {
      lookAhead.rows.noteChosenPrimaries(of: schema)
    }
  }

  // MARK: Values

  /// The row with the values of an object.
  private enum Row {
    /// The row ID, or nil for no row, and the hash value of the values.
    case known(Int64?, hash: Int)
    case unknown

    var rowID: Int64? { if case .known(let rowID, _) = self { rowID } else { nil } }
  }

  /// Looks up the rows with the values of objects in columns. Unknown are the rows of objects that refer to
  /// an object without a row in these columns, and of the second of two objects with equal values.
  private func rows(
    of objects: [ObjectReference], with columns: [Int], _ schema: ObjectSchema,
    _ values: FieldBuffer
  ) throws -> [Row] {
    var rows = [Row](repeating: .known(nil, hash: 0), count: objects.count)
    guard !columns.isEmpty else { return rows }
    defer { values.removeAll() }
    // The objects are not saved yet: their properties remain changed.
    let savepoint = log.savepoint
    defer { log.rollBack(to: savepoint) }
    var places: [Int] = []
    var known: Set<Int> = []
    for (index, object) in objects.enumerated() {
      switch try capture(columns, of: object, into: values) {
      case .none: continue
      case .incomplete:
        rows[index] = .unknown
      case .complete(let hash):
        // Two objects with different values may count as equal.
        rows[index] = known.insert(hash).inserted ? .known(nil, hash: hash) : .unknown
        places.append(index)
      }
    }
    guard !places.isEmpty else { return rows }
    let found = try engine.rowIDs(
      with: columns, at: 0, count: places.count, in: values, schema)
    for (place, rowID) in zip(places, found) {
      if case .known(_, let hash) = rows[place] { rows[place] = .known(rowID, hash: hash) }
    }
    return rows
  }

  private enum CapturedValues {
    /// A value is not set.
    case none
    /// A value is not known yet, and nothing was captured.
    case incomplete
    case complete(hash: Int)
  }

  /// Appends an object's values in columns.
  private func capture(
    _ columns: [Int], of object: ObjectReference, into values: FieldBuffer
  ) throws -> CapturedValues {
    guard let targets = try targets(of: object, columns) else { return .incomplete }
    guard hasValues(object, columns, targets) else { return .none }
    let first = values.append(columns.count)
    let capture = RowCapture(object, into: values, targets: targets)
    var hasher = Hasher()
    for (place, column) in columns.enumerated() {
      // Without a value, because another task changes the object, no row is found.
      _ = try capture.capture(column, of: object, at: first + place, log: &log)
      let field = values[first + place]
      switch field.kind {
      case .text, .largeText, .blob, .largeBlob:
        let bytes = FieldReader(values, field).bytes
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
      case .integer, .real, .null, .file: hasher.combine(field.integer)
      }
    }
    return .complete(hash: hasher.finalize())
  }

  /// Returns the hash value of an object's primary value and key, as ``LookedUpRows/Rows/hash``.
  private func hash(of object: ObjectReference, _ values: FieldBuffer) throws -> Int? {
    defer { values.removeAll() }
    let savepoint = log.savepoint
    defer { log.rollBack(to: savepoint) }
    var result = 0
    for columns in [object.schema.primary.map { [$0] } ?? [], object.schema.key]
    where !columns.isEmpty {
      switch try capture(columns, of: object, into: values) {
      case .none: break
      case .incomplete: return nil
      case .complete(let hash): result ^= hash
      }
    }
    return result
  }

  /// Returns the row IDs that an object's to-one relationships refer to, by column; nil if one of them
  /// refers to an object without a row.
  private func targets(of object: ObjectReference, _ columns: [Int]) throws -> [Int64?]? {
    let schema = object.schema
    guard columns.contains(where: { schema.plans[$0].codec == .link }) else { return [] }
    var targets = [Int64?](repeating: nil, count: schema.columns.count)
    for toOne in schema.toOnes where columns.contains(toOne.column) {
      let link = try toOne.schema.capture(object.property(toOne.column)) { _ in }
      switch graph?.target(of: link) {
      case .row(let row): targets[toOne.column] = row
      case .unsaved, nil: return nil
      case .none?: break
      }
    }
    return targets
  }

  /// Whether an object has values in all of some columns.
  func hasValues(_ object: ObjectReference, _ columns: [Int], _ targets: [Int64?]) -> Bool {
    let schema = object.schema
    return columns.allSatisfy { column in
      schema.plans[column].codec == .link
        ? targets[column] != nil : schema.columns[column].hasValue(object.property(column))
    }
  }
}

extension ObjectSchema {
  /// Whether two values of the primary and of the key are equal only if their stored bytes are.
  fileprivate var isComparedByBytes: Bool {
    identifiesRows
      && identityColumns.allSatisfy { column in
        switch plans[column].codec {
        case .string, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64,
          .bool, .data, .bytes, .uuid, .uuidBytes, .link:
          true
        case .double, .date, .float, .decimal, .converted, .vector, .file: false
        }
      }
  }
}
