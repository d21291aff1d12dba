import ArgumentParser
import CAllocations
import Counting

/// The quantities that one process counts. They are separate, because counting allocations takes
/// instructions.
enum Pass: String, ExpressibleByArgument {
  case allocations
  case instructions

  /// The factor of the smallest sizes. The tool that counts instructions is slow.
  var scale: Int { self == .allocations ? 5 : 1 }

  /// The number of runs of each work after a run to warm up.
  var runs: Int { self == .allocations ? 3 : 1 }

  func begin() throws {
    guard self == .allocations else { return }
    try StatementCounter.start()
    if magic_count_allocations() { try AllocationCheck.run() }
  }
}
