import Foundation
import MagicFiles
import Testing

@Suite struct LockTests {
  private let place: Place
  private let disk: DiskFileSystem

  init() throws {
    place = try Place()
    disk = place.disk()
    _ = try disk.makeDirectory("")
  }

  @Test func oneLockExcludesAnother() throws {
    let first = try #require(try disk.lock("l", isShared: false))
    #expect(try disk.lock("l", isShared: false) == nil)
    #expect(try disk.lock("l", isShared: true) == nil)
    first.release()
    first.release()
    #expect(try disk.lock("l", isShared: false) != nil)
  }

  @Test func sharedLocksExcludeOnlyExclusiveOnes() throws {
    let first = try #require(try disk.lock("l", isShared: true))
    let second = try #require(try disk.lock("l", isShared: true))
    first.release()
    #expect(try disk.lock("l", isShared: false) == nil)
    second.release()
    #expect(try disk.lock("l", isShared: false) != nil)
  }

  @Test func aReleasedLockEnds() throws {
    var lock = try disk.lock("l", isShared: false)
    #expect(lock?.isNew == true)
    lock = nil
    lock = try disk.lock("l", isShared: false)
    #expect(lock?.isNew == false)
  }

  @Test func lockingARemovedFileLocksItsSuccessor() throws {
    let first = try #require(try disk.lock("l", isShared: false))
    try disk.remove("l")
    let second = try #require(try disk.lock("l", isShared: false))
    #expect(second.isNew)
    first.release()
    #expect(try disk.lock("l", isShared: false) == nil)
  }

  @Test func aDirectoryInPlaceOfTheLockFileIsReported() throws {
    _ = try disk.makeDirectory("l")
    #expect(code { _ = try disk.lock("l", isShared: true) } == .notAFile)
  }

  /// Many threads create, lock, remove and release a file; at any time only one has the lock.
  @Test(.timeLimit(.minutes(5))) func removingTheFileKeepsTheExclusion() {
    let inside = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      var taken = 0
      while taken < 300 {
        guard let lock = try? disk.lock("l", isShared: false) else { continue }
        #expect(inside.add(1) == 1)
        inside.add(-1)
        try? disk.remove("l")
        lock.release()
        taken += 1
      }
    }
  }
}
