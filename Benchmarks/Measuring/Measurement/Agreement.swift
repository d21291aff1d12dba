import Workloads

/// Checks that engines have the same checksums for the same work.
struct Agreement {
  private var last: (engine: String, checksum: Checksum)?

  /// - Throws: A ``Disagreement`` if the engine before had another sum.
  mutating func add(
    _ checksum: Checksum, of engine: any Engine.Type, in workload: String
  ) throws {
    if let last, last.checksum != checksum {
      throw Disagreement(workload: workload, engines: [last.engine, engine.name])
    }
    last = (engine.name, checksum)
  }
}

/// An error for engines that fetched different values: at least one of them is wrong.
public struct Disagreement: Error, CustomStringConvertible {
  /// The name in tables: `W4`.
  public let workload: String
  /// The names of the engines.
  public let engines: [String]

  /// A description for messages.
  public var description: String {
    "\(workload): \(engines.joined(separator: " and ")) read different values."
  }
}
