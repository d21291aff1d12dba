/// A measured task, and the contents that it requires.
public struct Workload: Sendable {
  /// The name in tables: `W4`.
  public let name: String
  /// A description of the measured work.
  public let title: String
  /// The durability of commits.
  public let durability: Durability
  /// The initial database of a run.
  public let start: Start
  /// The target of the library's ratio to the C twin; nil if there is none.
  public let target: Double?
  /// Whether the measured work consists of single awaited operations.
  public let isOfSingleOperations: Bool
  private let make: @Sendable (Int) -> Steps

  init(
    _ name: String, _ title: String, durability: Durability = .normal, start: Start = .shared,
    target: Double? = nil, isOfSingleOperations: Bool = false,
    steps: @escaping @Sendable (_ count: Int) -> Steps
  ) {
    self.name = name
    self.title = title
    self.durability = durability
    self.start = start
    self.target = target
    self.isOfSingleOperations = isOfSingleOperations
    make = steps
  }

  /// The works for a database with a number of people, or of members in teams of ten.
  ///
  /// Creates all objects of the works each time, which takes much memory.
  public func steps(count: Int) -> Steps { make(count) }

  /// The initial database of a run.
  public enum Start: Sendable {
    /// A new database for each run.
    case new
    /// A new database for each run, closed and opened again before the measured work.
    case reopened
    /// One database for all runs; the job is prepared once.
    case shared
    /// One database for all runs; the job is prepared for each run.
    case sharedWithNewObjects
  }

  /// The works of a workload.
  public struct Steps: Sendable {
    /// The works that fill the database.
    public var before: [Work] = []
    /// The measured work.
    public var measured: Work
    /// A work that reads the written values after the first run, to compare them.
    public var check: Work?
    /// The number of operations in one run of the measured work.
    public var operations: Int
  }
}

extension Workload {
  /// Every workload, in the order of tables.
  public static let all =
    people + observed + readers + openings + teams + packages + purchases + lazy + types + files
    + migrations + search + exchange

  /// The names of all workloads, for messages.
  public static var names: String { all.map(\.name).joined(separator: ", ") }
}
