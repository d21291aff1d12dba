import MagicEngine
import MagicSchema

/// Looks up the stored rows of new objects together with those of the objects that are saved next, so
/// that neither the lookups nor the rows between them need a call of the engine for each object.
extension ObjectTransaction {
  /// Returns the rows with a new object's primary value and key. Nil if they must be looked up alone.
  func lookedUpRows(of object: ObjectReference) throws -> LookedUpRows.Rows? {
    guard looksUpAhead, !isOneByOne, object.schema.isComparedByBytes else { return nil }
    if let known = lookedUp[object] { return known }
    try lookUpRows(from: object)
    return lookedUp[object]
  }

  /// Returns the row with the primary value of an object that other objects refer to, if it was looked
  /// up: so they can be written before the row is.
  func primaryRow(ofMember object: ObjectReference, isRoot: Bool) throws -> Int64? {
    guard looksUpAhead, graph != nil, !rules.requiresInsertion(of: object, isRoot: isRoot)
    else { return nil }
    return try lookedUpRows(of: object)?.primary
  }

  /// Discards the looked-up rows if columns are changed that identify rows.
  func noteChanged(_ columns: ColumnSet, of schema: ObjectSchema) {
    guard looksUpAhead, schema.identifiesRows else { return }
    if schema.version != nil { return lookedUp.removeAll() }
    let identity = schema.key + (schema.primary.map { [$0] } ?? [])
    if identity.contains(where: { columns.contains($0) }) { lookedUp.removeAll() }
  }

  private func lookUpRows(from first: ObjectReference) throws {
    // Rows that were captured before may have the same values.
    try flush()
    var upcoming = UpcomingObjects(
      limit: lookedUp.nextLimit(upTo: engine.lookUpLimit), store: store)
    lookedUp.removeAll()
    try upcoming.add(first)
    try graph?.addUpcoming(to: &upcoming)
    if let roots {
      for index in nextRoot..<max(nextRoot, roots.count) where !upcoming.isFull {
        try upcoming.add(roots[index])
      }
    }
    lookedUp.retain(upcoming.holders)
    for (schema, objects) in upcoming.groups { try lookUp(objects, schema) }
  }

  private func lookUp(_ objects: [ObjectReference], _ schema: ObjectSchema) throws {
    guard schema.isComparedByBytes, try engine.hasCurrentTable(of: schema) else { return }
    let byPrimary = try rows(of: objects, with: schema.primary.map { [$0] } ?? [], schema)
    let byKey = try rows(of: objects, with: schema.key, schema)
    let hasKey = !schema.key.isEmpty
    let written = (hasKey ? byKey : byPrimary).map(\.rowID)
    let needsRows = schema.version != nil || hasKey && schema.primary != nil
    let stored = needsRows ? try storedRows(written.compactMap(\.self), schema) : [:]
    for (index, object) in objects.enumerated() {
      guard case .known(let primary) = byPrimary[index], case .known(let key) = byKey[index]
      else { continue }
      lookedUp.add(
        LookedUpRows.Rows(
          key: key, primary: primary, stored: written[index].flatMap { stored[$0] }), of: object)
    }
  }

  /// Returns the stored rows with row IDs, which are kept as long as the looked-up rows.
  private func storedRows(
    _ rowIDs: [Int64], _ schema: ObjectSchema
  ) throws -> [Int64: PackedRow] {
    guard !rowIDs.isEmpty else { return [:] }
    let chunks = try engine.reader.fetch(.rows(RowIDSet(rowIDs)), of: schema).chunks
    lookedUp.retain(chunks)
    var rows: [Int64: PackedRow] = [:]
    for chunk in chunks {
      for index in 0..<chunk.rowCount { rows[chunk.row(index).zIndex] = chunk.row(index) }
    }
    return rows
  }

  private enum Row {
    /// The row ID, or nil for no row.
    case known(Int64?)
    case unknown

    var rowID: Int64? { if case .known(let rowID) = self { rowID } else { nil } }
  }

  /// Looks up the rows with the values of objects in columns. Unknown are the rows of objects that refer to
  /// an object without a row in these columns, and of the second of two objects with equal values.
  private func rows(
    of objects: [ObjectReference], with columns: [Int], _ schema: ObjectSchema
  ) throws -> [Row] {
    var rows = [Row](repeating: .known(nil), count: objects.count)
    guard !columns.isEmpty else { return rows }
    // The objects are not saved yet: their properties remain changed.
    let savepoint = log.savepoint
    defer {
      log.rollBack(to: savepoint)
      changeset.removeAll()
    }
    var places: [Int] = []
    var values = DistinctValues(self.values)
    for (index, object) in objects.enumerated() {
      guard let targets = try targets(of: object, columns) else {
        rows[index] = .unknown
        continue
      }
      guard hasValues(object, columns, targets) else { continue }
      let first = self.values.append(columns.count)
      for place in columns.indices { self.values.set(.null, at: first + place) }
      let capture = RowCapture(object, into: self.values, targets: targets)
      let isComplete = try columns.enumerated().allSatisfy { place, column in
        try capture.capture(column, of: object, at: first + place, log: &log)
      }
      let isDistinct = values.insert(first..<first + columns.count)
      if !isComplete || !isDistinct { rows[index] = .unknown }
      places.append(index)
    }
    guard !places.isEmpty else { return rows }
    let found = try engine.rowIDs(
      with: columns, at: 0, count: places.count, in: self.values, schema)
    for (place, rowID) in zip(places, found) {
      if case .known = rows[place] { rows[place] = .known(rowID) }
    }
    return rows
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

/// The values of rows in a buffer, by their hash values. Two different rows may count as equal.
private struct DistinctValues {
  private let values: FieldBuffer
  private var known: Set<Int> = []

  init(_ values: FieldBuffer) { self.values = values }

  /// Returns whether no earlier row has the same values.
  mutating func insert(_ fields: Range<Int>) -> Bool {
    var hasher = Hasher()
    for index in fields {
      let reader = FieldReader(values, at: index)
      if reader.bytes.isEmpty {
        hasher.combine(values[index].integer)
      } else {
        hasher.combine(bytes: reader.bytes)
      }
    }
    return known.insert(hasher.finalize()).inserted
  }
}

extension ObjectSchema {
  /// Whether two values of the primary and of the key are equal only if their stored bytes are.
  fileprivate var isComparedByBytes: Bool {
    identifiesRows
      && (key + (primary.map { [$0] } ?? [])).allSatisfy { column in
        switch plans[column].codec {
        case .string, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64,
          .bool, .data, .bytes, .uuid, .uuidBytes, .link:
          true
        case .double, .date, .float, .decimal, .converted, .vector, .file: false
        }
      }
  }
}

extension GraphSaver {
  /// Adds the objects that are visited next, in their order.
  func addUpcoming(to upcoming: inout UpcomingObjects) throws {
    for frame in frames.reversed() where !upcoming.isFull { try upcoming.add(frame.object) }
    for case .objects(let objects, let index, _) in queue.reversed() where !upcoming.isFull {
      try upcoming.add(objects, from: index)
    }
  }
}
