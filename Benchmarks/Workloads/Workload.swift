/// One measured task, and what has to be there before it.
public struct Workload: Sendable {
  /// As in tables: `W4`.
  public let name: String
  /// What is measured.
  public let title: String
  /// What commits promise.
  public let durability: Durability
  /// What a run begins with.
  public let start: Start
  /// The ratio to the C twin that the library is to reach; nil where none is set.
  public let target: Double?
  /// Whether the measured work is made of awaited operations of which each is an answer.
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

  /// The works for a database of so many people, or members in teams of ten.
  ///
  /// Makes all that they save anew: large.
  public func steps(count: Int) -> Steps { make(count) }

  /// What a run begins with.
  public enum Start: Sendable {
    /// A new database for each run.
    case new
    /// A new database for each run, closed and opened again before the measured work.
    case reopened
    /// One database for all runs; the job is made ready once.
    case shared
    /// One database for all runs; the job is made ready for each.
    case sharedWithNewObjects
  }

  /// What an engine is asked to do.
  public struct Steps: Sendable {
    /// What fills the database.
    public var before: [Work] = []
    /// What is measured.
    public var measured: Work
    /// What is read afterwards in place of the sum of the measured work.
    public var check: Work?
    /// The operations in one run of the measured work.
    public var operations: Int
  }
}

extension Workload {
  /// Every workload, in the order of tables.
  public static let all = people + readers + teams + packages + lazy + files + migrations

  /// Their names, for messages.
  public static var names: String { all.map(\.name).joined(separator: ", ") }
}
