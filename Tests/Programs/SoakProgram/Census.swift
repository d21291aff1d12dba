import MagicData

/// Counts the commits that one observer receives during the whole run.
struct Census: Sendable {
  private let stream: MagicChangeStream<MagicChanges<Beat>>
  private let ledger: Ledger
  private let mode: Mode

  init(_ magic: MagicData, _ ledger: Ledger, _ mode: Mode) {
    stream = magic.changes(of: Beat.self)
    self.ledger = ledger
    self.mode = mode
  }

  /// - Returns: The rows that were inserted or updated, and the number of commits.
  func run() async -> (rows: Set<ZIndex>, commits: Int) {
    var (rows, commits) = (Set<ZIndex>(), 0)
    for await changes in stream {
      if mode == .missesEvent, ledger.injectsFlaw(at: 50) { continue }
      rows.formUnion(changes.inserted)
      rows.formUnion(changes.updated.keys)
      commits += changes.transactionCount
    }
    return (rows, commits)
  }
}
