import Workloads

/// Whether engines that did the same have the same sums.
struct Agreement {
  private var last: (engine: String, checksum: Checksum)?

  /// - Throws: a ``Disagreement`` where the engine before had another sum.
  mutating func add(
    _ checksum: Checksum, of engine: any Engine.Type, in workload: String
  ) throws {
    if let last, last.checksum != checksum {
      throw Disagreement(workload: workload, engines: [last.engine, engine.name])
    }
    last = (engine.name, checksum)
  }
}

/// Two engines read different values: at least one of them is wrong.
public struct Disagreement: Error, CustomStringConvertible {
  /// As in tables: `W4`.
  public let workload: String
  /// Their names.
  public let engines: [String]

  /// For messages.
  public var description: String {
    "\(workload): \(engines.joined(separator: " and ")) read different values."
  }
}
