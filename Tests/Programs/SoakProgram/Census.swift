import MagicData

/// Counts the commits that one observer is told of, from the first to the last.
struct Census: Sendable {
  private let stream: MagicChangeStream<MagicChanges<Beat>>
  private let ledger: Ledger
  private let mode: Mode

  init(_ magic: MagicData, _ ledger: Ledger, _ mode: Mode) {
    stream = magic.changes(of: Beat.self)
    self.ledger = ledger
    self.mode = mode
  }

  /// - Returns: how often each row was told of at least, and of how many commits in all.
  func run() async -> (rows: Set<ZIndex>, commits: Int) {
    var (rows, commits) = (Set<ZIndex>(), 0)
    for await changes in stream {
      if mode == .deaf, ledger.isTrick(at: 50) { continue }
      rows.formUnion(changes.inserted)
      rows.formUnion(changes.updated.keys)
      commits += changes.transactionCount
    }
    return (rows, commits)
  }
}
