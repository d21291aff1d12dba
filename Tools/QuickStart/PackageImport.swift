import DebianPackages
import MagicData

/// Saves the packages of a file, replacing those a database had before.
struct PackageImport {
  /// Large enough that the cost of a commit does not show, small enough that the bar moves.
  static let batchSize = 2000

  private(set) var saved = 0
  /// Stanzas that are the same package in the same version as an earlier one; the later counts.
  private(set) var repeated = 0
  private(set) var malformed = 0
  private(set) var replaced = 0
  private(set) var seconds = 0.0

  private var ids: Set<String> = []
  private var progress = ProgressBar("Saving")

  init(_ file: PackageFile, into magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    var reader = StanzaReader(file.bytes)
    var batch: [DebianPackage] = []
    while let result = reader.next() {
      add(result, to: &batch, from: file)
      if batch.count == Self.batchSize {
        try await save(&batch, in: magic)
        progress.show(Double(reader.offset) / Double(file.bytes.count), saved.counted("package"))
      }
    }
    progress.finish()
    guard !ids.isEmpty || malformed == 0 else {
      throw PackageFile.Unreadable(path: file.path, reason: "not one of its stanzas is a package")
    }
    try await save(&batch, in: magic)
    seconds = stopwatch.seconds
  }

  private mutating func add(
    _ result: Result<Stanza, MalformedStanza>, to batch: inout [DebianPackage],
    from file: PackageFile
  ) {
    do throws(MalformedStanza) {
      let package = try DebianPackage(result.get())
      if !ids.insert(package.id).inserted { repeated += 1 }
      batch.append(package)
    } catch {
      malformed += 1
      progress.log("\(file.path.printable):\(error.line): \(error.reason); the stanza is left out")
    }
  }

  private mutating func save(_ batch: inout [DebianPackage], in magic: MagicData) async throws {
    // Not before there is something to put in their place.
    if saved == 0 { try await removeEarlier(from: magic) }
    try await magic.update(contentsOf: batch)
    batch.removeAll(keepingCapacity: true)
    saved = ids.count
  }

  private mutating func removeEarlier(from magic: MagicData) async throws {
    replaced = try await magic.object(of: DebianPackage.self).count
    if replaced > 0 { try await magic.removeAll(of: DebianPackage.self) }
  }
}
