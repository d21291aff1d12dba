import Foundation
@testable import MagicFiles
import Testing

/// The lock file of a folder is removed when no process has the lock.
@Suite struct LockFileTests {
  private let place: Place

  init() throws { place = try Place() }

  private func makeLockFile() throws {
    _ = try place.disk().makeDirectory("")
    _ = try place.disk().lock("hold", isShared: false)
  }

  @Test func anUnlockedFileIsRemoved() throws {
    try makeLockFile()
    place.folder().removeLockFile()
    #expect(try place.names() == [])
    // There is nothing left to do.
    place.folder().removeLockFile()
    #expect(try place.names() == [])
  }

  @Test func aFolderThatDoesNotExistIsNotCreated() {
    place.folder().removeLockFile()
    #expect(!place.exists(""))
  }

  @Test(arguments: [true, false]) func aLockedFileIsKept(isShared: Bool) throws {
    try makeLockFile()
    let lock = try #require(try place.disk().lock("hold", isShared: isShared))
    place.folder().removeLockFile()
    #expect(try place.names() == ["hold"])
    lock.release()
    place.folder().removeLockFile()
    #expect(try place.names() == [])
  }

  @Test func aFileThatThisFolderUsesIsKept() throws {
    try makeLockFile()
    let folder = place.folder()
    try folder.withExclusiveLock { () throws in
      folder.removeLockFile()
      #expect(try place.names() == ["hold"])
    }
    folder.removeLockFile()
    #expect(try place.names() == [])
  }

  /// Copies and removals exclude each other while other folders remove the lock file.
  @Test(.timeLimit(.minutes(5))) func removingTheFileKeepsTheExclusion() throws {
    try makeLockFile()
    let (copying, removing) = (Counter(), Counter())
    DispatchQueue.concurrentPerform(iterations: 6) { task in
      let folder = place.folder()
      for _ in 0..<400 {
        switch task % 3 {
        case 0:
          guard let lock = try? folder.lockForCopying(), lock.isLocked else { continue }
          copying.add(1)
          #expect(removing.value == 0)
          copying.add(-1)
          lock.release()
        case 1:
          _ = try? folder.withExclusiveLock {
            removing.add(1)
            #expect(copying.value == 0)
            removing.add(-1)
          }
        default: folder.removeLockFile()
        }
      }
    }
  }
}
