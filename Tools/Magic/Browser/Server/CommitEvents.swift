import MagicInspection

/// Reads the number of commits of a database, for all pages that are open.
actor CommitWatch {
  private let commits: any CommitCounter
  private var last: (counter: Int64?, time: ContinuousClock.Instant)?
  private var reading: Task<Int64?, Never>?
  private var clients = 0

  /// The maximum number of pages that are notified.
  static let clientLimit = 64

  init(_ commits: any CommitCounter) { self.commits = commits }

  /// Returns a number that differs after each commit, also of other processes; nil if the database
  /// cannot be read now.
  func counter() async -> Int64? {
    if let reading { return await reading.value }
    if let last, last.time.duration(to: .now) < commits.interval { return last.counter }
    let task = Task { try? await commits.next() }
    reading = task
    let counter = await task.value
    reading = nil
    last = (counter, .now)
    return counter
  }

  /// Registers a page. Returns false if there are too many.
  func begin() -> Bool {
    guard clients < Self.clientLimit else { return false }
    clients += 1
    return true
  }

  func end() { clients -= 1 }

  func close() async {
    _ = await reading?.value
    await commits.close()
  }
}

/// The server-sent events of one page: an event soon after each commit.
struct CommitEvents: Sendable {
  private let client: Client

  /// - Parameter watch: the watch, with which the page is registered until the events end.
  init(watch: CommitWatch) { client = Client(watch: watch) }

  /// How often a page asks for a new commit.
  static let interval = Duration.milliseconds(100)
  /// After so many intervals without a commit, a comment is sent.
  private static let heartbeat = 50

  /// What was sent.
  struct State {
    fileprivate var counter: Int64?
    fileprivate var isFirst = true
    fileprivate var silence = 0
  }

  /// Ends the registration of a page when its last user is released.
  private final class Client: Sendable {
    let watch: CommitWatch
    init(watch: CommitWatch) { self.watch = watch }
    deinit {
      let watch = watch
      Task { await watch.end() }
    }
  }

  /// Returns what is sent now, if anything. Called once in each interval.
  func next(after state: State) async -> (String?, State) {
    var state = state
    let counter = await client.watch.counter()
    if state.isFirst {
      state.isFirst = false
      state.counter = counter
      return ("retry: 1000\n\n", state)
    }
    if let counter, counter != state.counter {
      state.counter = counter
      state.silence = 0
      return ("event: commit\ndata: \(counter)\n\n", state)
    }
    state.silence += 1
    guard state.silence >= Self.heartbeat else { return (nil, state) }
    state.silence = 0
    return (": no commit\n\n", state)
  }
}
