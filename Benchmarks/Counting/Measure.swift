/// The quantities that are counted for each operation.
package enum Measure: String, CaseIterable, Codable, CodingKeyRepresentable {
  /// Executed statements, including BEGIN and COMMIT, without statements of triggers.
  case statements
  /// Rows that statements return.
  case rows
  /// Calls that allocate memory.
  case allocations
  /// Requested bytes.
  case allocated = "bytes allocated"
  /// The bytes of fetched objects that are kept.
  case held = "bytes held"
  /// Instructions of the processor outside of the kernel.
  case instructions

  /// The verb between the name of a workload and the numbers, in a sentence.
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

  /// The unit of the numbers.
  package var unit: String {
    switch self {
    case .allocated, .held: "bytes"
    case .statements, .rows, .allocations, .instructions: rawValue
    }
  }

  /// The threshold for a recorded number. Compilers and versions of SQLite differ in instructions,
  /// allocators in the sizes of blocks.
  package func allowed(_ recorded: Double) -> Double {
    switch self {
    case .statements, .rows, .allocations: recorded + max(0.02, recorded * 0.02)
    case .allocated, .held: recorded + max(1, recorded * 0.03)
    case .instructions: recorded * 1.04
    }
  }
}
