package import MagicRuntime

/// Counts operations, and determines which of them fail.
///
///     let faults = Faults<FileError.Operation>()
///     faults.fail(.rename, at: 2, with: ENOSPC)
///     // … the second rename from here on fails, all other operations succeed …
package final class Faults<Operation: Hashable & Sendable>: Locked, @unchecked Sendable {
  private struct Fault {
    let operation: Operation?
    var countdown: Int
    let number: Int32
    let isLasting: Bool

    func matches(_ other: Operation) -> Bool { operation == nil || operation == other }

    var isDue: Bool { countdown == 0 || (countdown < 0 && isLasting) }
  }

  private var faults: [Fault] = []
  private var storedCounts: [Operation: Int] = [:]
  private var storedFailureCount = 0

  package override init() { super.init() }

  /// The number of operations of each kind so far, including failed ones.
  package var counts: [Operation: Int] { withLock { storedCounts } }

  /// The number of failed operations.
  package var failureCount: Int { withLock { storedFailureCount } }

  /// Makes an operation fail.
  ///
  /// - Parameters:
  ///   - operation: the kind; nil for every kind.
  ///   - position: 1 for the next operation of the kind.
  ///   - number: the `errno` of the system.
  ///   - isLasting: whether later operations of the kind fail too.
  package func fail(
    _ operation: Operation? = nil, at position: Int = 1, with number: Int32,
    isLasting: Bool = false
  ) {
    withLock {
      faults.append(
        Fault(operation: operation, countdown: position, number: number, isLasting: isLasting))
    }
  }

  /// Removes all faults.
  package func heal() { withLock { faults = [] } }

  /// Whether a fault is set for this kind, and not only for every kind.
  package func expects(_ operation: Operation) -> Bool {
    withLock { faults.contains { $0.operation == operation } }
  }

  /// Counts an operation.
  ///
  /// - Returns: the error number with which it fails; nil if it is to be performed.
  package func next(_ operation: Operation) -> Int32? {
    withLock {
      storedCounts[operation, default: 0] += 1
      var number: Int32?
      for index in faults.indices where faults[index].matches(operation) {
        faults[index].countdown -= 1
        if faults[index].isDue { number = number ?? faults[index].number }
      }
      if number != nil { storedFailureCount += 1 }
      return number
    }
  }
}
