package import MagicRuntime

/// Which of the operations that are counted here are to fail.
///
///     let faults = Faults<FileError.Operation>()
///     faults.fail(.rename, at: 2, with: ENOSPC)
///     // … the second renaming from here on is not done, all others are …
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

  /// How many operations of each kind there were so far, those among them that failed.
  package var counts: [Operation: Int] { withLock { storedCounts } }

  /// How many operations have failed.
  package var failureCount: Int { withLock { storedFailureCount } }

  /// Lets an operation fail.
  ///
  /// - Parameters:
  ///   - operation: the kind; nil for every kind.
  ///   - position: 1 for the next operation of the kind.
  ///   - number: what the system would say, its `errno`.
  ///   - isLasting: whether those of the kind fail that follow it as well.
  package func fail(
    _ operation: Operation? = nil, at position: Int = 1, with number: Int32,
    isLasting: Bool = false
  ) {
    withLock {
      faults.append(
        Fault(operation: operation, countdown: position, number: number, isLasting: isLasting))
    }
  }

  /// Takes all faults back.
  package func heal() { withLock { faults = [] } }

  /// Whether operations of this kind may fail, and not only those of every kind.
  package func expects(_ operation: Operation) -> Bool {
    withLock { faults.contains { $0.operation == operation } }
  }

  /// Counts an operation.
  ///
  /// - Returns: the number that it is to fail with; nil where it is to be done.
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
