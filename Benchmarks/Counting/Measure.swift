/// What is counted, for each operation.
package enum Measure: String, CaseIterable, Codable, CodingKeyRepresentable {
  /// Statements that begin, BEGIN and COMMIT included; those of triggers are not.
  case statements
  /// Rows that statements give.
  case rows
  /// Calls of the allocator that give memory.
  case allocations
  /// The bytes that are asked for.
  case allocated = "bytes allocated"
  /// The bytes of what was fetched and is kept.
  case held = "bytes held"
  /// What the processor does outside the kernel.
  case instructions

  /// As it stands behind a workload's name and before the numbers, in a sentence.
  package var verb: String {
    switch self {
    case .statements: "runs"
    case .rows: "reads"
    case .allocations: "makes"
    case .allocated: "allocates"
    case .held: "holds"
    case .instructions: "takes"
    }
  }

  /// What the numbers are of.
  package var unit: String {
    switch self {
    case .allocated, .held: "bytes"
    case .statements, .rows, .allocations, .instructions: rawValue
    }
  }

  /// How much more than what was recorded is allowed. Compilers and versions of SQLite differ in
  /// instructions; allocators in what they add to a block.
  package func allowed(_ recorded: Double) -> Double {
    switch self {
    case .statements, .rows, .allocations: recorded + max(0.02, recorded * 0.02)
    case .allocated, .held: recorded + max(1, recorded * 0.03)
    case .instructions: recorded * 1.04
    }
  }
}
