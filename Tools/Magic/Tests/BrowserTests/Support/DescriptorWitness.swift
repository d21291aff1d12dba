import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Opens and closes a file continuously, and counts descriptors that other code of the process has
/// closed. Code that closes a descriptor twice closes that of the file sooner or later.
final class DescriptorWitness: @unchecked Sendable {
  private let lock = NSLock()
  private var isOver = false
  private var opened = 0
  private var lost = 0

  /// What the witness has seen.
  struct Account: Equatable {
    let opened: Int
    let lost: Int
  }

  /// Calls the body while two threads open and close a file: once, and again until they have opened
  /// it more than `least` times, since the threads of a busy machine can wait for long.
  static func watching(
    _ path: String, least: Int = 100, _ body: () async throws -> Void
  ) async throws -> Account {
    let witness = DescriptorWitness()
    async let first: Void = onThread { witness.run(path) }
    async let second: Void = onThread { witness.run(path) }
    let result: Result<Void, any Error>
    do {
      repeat { try await body() } while witness.lock.withLock({ witness.opened <= least })
      result = .success(())
    } catch {
      result = .failure(error)
    }
    witness.lock.withLock { witness.isOver = true }
    _ = try await (first, second)
    try result.get()
    return witness.lock.withLock { Account(opened: witness.opened, lost: witness.lost) }
  }

  private func run(_ path: String) {
    while lock.withLock({ !isOver }) {
      let descriptor = open(path, O_RDONLY)
      guard descriptor >= 0 else { continue }
      sched_yield()
      var status = stat()
      var own = stat()
      // Only its own descriptor is closed: another one has the same number if it was lost.
      let isOwn =
        fstat(descriptor, &status) == 0 && stat(path, &own) == 0 && status.st_ino == own.st_ino
        && status.st_dev == own.st_dev
      let isClosed = isOwn && close(descriptor) == 0
      lock.withLock {
        opened += 1
        if !isClosed { lost += 1 }
      }
    }
  }
}
