import ArgumentParser
import CAllocations
import Counting

/// What one process counts: what counts allocations would be among the instructions.
enum Pass: String, ExpressibleByArgument {
  case allocations
  case instructions

  /// How many times the smallest sizes. The tool that counts instructions is slow.
  var scale: Int { self == .allocations ? 5 : 1 }

  /// How often each work is done after it has warmed up.
  var runs: Int { self == .allocations ? 3 : 1 }

  func begin() throws {
    guard self == .allocations else { return }
    try StatementCounter.start()
    if magic_count_allocations() { try AllocationCheck.run() }
  }
}
