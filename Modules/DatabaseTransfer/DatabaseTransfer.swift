import MagicFiles
import MagicSchema
import SQLiteTables

/// Copies all objects of a database into another one, which may be of the other engine.
///
/// Types are not needed: the catalogue describes the tables. Rows keep their row IDs, and lists their
/// positions. At the end the destination is read again, and compared with what was read of the source.
package struct DatabaseTransfer {
  /// What was copied.
  package struct Summary: Sendable {
    /// The number of rows of each table, in the order of the names.
    package var tables: [(table: String, rows: Int)] = []
    /// The number of members of all collections.
    package var members = 0
    package var assets = 0
    package var assetBytes = 0
    /// The types whose tables are completed when a program first uses them.
    package var incomplete: [String] = []
    /// Whether the rows of the destination were read again.
    package var isCompared = true
  }

  private let source: any TransferSource
  private let target: any TransferTarget
  private let report: (Double) -> Void
  private var done = 0.0
  private var total = 1.0

  /// - Parameter report: receives the part that is done, from 0 to 1.
  package init(
    from source: any TransferSource, to target: any TransferTarget,
    _ report: @escaping (Double) -> Void
  ) {
    self.source = source
    self.target = target
    self.report = report
  }

  /// Copies, compares and commits. After an error the destination has nothing of the copy.
  package mutating func run() throws -> Summary {
    do {
      let summary = try copy()
      try Task.checkCancellation()
      try target.commit()
      report(1)
      return summary
    } catch {
      target.discard()
      throw source.failure ?? target.failure ?? translated(error)
    }
  }

  /// The weight of a MiB of assets in the progress, in rows.
  private static let rowsPerMiB = 2_000.0

  private mutating func copy() throws -> Summary {
    let tables = try source.tables().sorted { $0.name < $1.name }
    let all = TransferredRows.all(tables)
    let assets = try source.assets()
    var summary = Summary()
    summary.incomplete = tables.filter { !target.isComplete($0) }.map(\.typeName)
    total =
      Double(assets.reduce(0) { $0 + min($1.size, Int(clamping: Int64(1) << 40)) }) / 1_048_576
      * Self.rowsPerMiB
    summary.isCompared = target.isReadable
    // Each row is written, and read again.
    let reads = summary.isCompared ? 2.0 : 1.0
    for rows in all { total += reads * Double(try source.count(rows)) }
    try target.create(tables)
    for asset in assets {
      try Task.checkCancellation()
      let content = try source.open(asset)
      defer { content.close() }
      try target.store(asset, content)
      summary.assets += 1
      summary.assetBytes += asset.size
      advance(Double(asset.size) / 1_048_576 * Self.rowsPerMiB)
    }
    var digests: [RowDigest] = []
    for rows in all {
      let digest = try copy(rows)
      switch rows.content {
      case .objects: summary.tables.append((rows.table.name, digest.count))
      case .members: summary.members += digest.count
      }
      digests.append(digest)
    }
    try target.complete(tables)
    if summary.isCompared {
      for (rows, digest) in zip(all, digests) { try compare(rows, with: digest) }
    }
    try compareAssets(assets)
    return summary
  }

  private mutating func copy(_ rows: TransferredRows) throws -> RowDigest {
    var digest = RowDigest()
    try source.forEachRow(of: rows) { values in
      digest.add(values)
      try target.insert(values, into: rows)
      try didRow(digest.count)
    }
    try target.finish(rows)
    return digest
  }

  private mutating func compare(_ rows: TransferredRows, with expected: RowDigest) throws {
    var digest = RowDigest()
    try target.forEachRow(of: rows) { values in
      digest.add(values)
      try didRow(digest.count)
    }
    guard digest == expected else {
      throw MagicError(
        .database,
        "The copy was discarded, because it differs from the source: \(expected.count) rows were read, "
          + "and the copy has \(digest.count) rows.", type: rows.description)
    }
  }

  private func compareAssets(_ expected: [AssetName]) throws {
    guard try Set(target.assets()) == Set(expected) else {
      throw MagicError(
        .database,
        "The copy was discarded, because it does not have the assets of the source.")
    }
    for asset in expected {
      try Task.checkCancellation()
      let (left, right) = (try source.open(asset), try target.open(asset))
      defer {
        left.close()
        right.close()
      }
      var offset = 0
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { buffer.deallocate() }
      try left.forEachPiece { piece in
        let count = try right.read(at: offset, into: buffer)
        guard piece.elementsEqual(buffer[..<count]) else {
          throw MagicError(
            .database, "The copy was discarded, because an asset differs from that of the source.")
        }
        offset += count
      }
    }
  }

  /// The number of rows between two reports.
  private static let reportInterval = 1_000

  private mutating func didRow(_ count: Int) throws {
    done += 1
    guard count % Self.reportInterval == 0 else { return }
    try Task.checkCancellation()
    report(min(1, done / total))
  }

  private mutating func advance(_ rows: Double) {
    done += rows
    report(min(1, done / total))
  }
}
