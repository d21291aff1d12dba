import Foundation
import KillProgram
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// A database that one process compacts while another process uses it.
@Suite struct TwoProcessCompactionTests {
  @Test(.timeLimit(.minutes(5)), arguments: [3, 4] as [UInt64])
  func theOtherProcessLosesNothing(_ seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("test.sqlite3").path
    let arguments = Arguments(path: path, mode: .sound, seed: seed)
    let child = try Child(arguments) { started in
      started.read(lines: 40)
      let store = try MagicObjectStore.open(.file(path))
      for _ in 0..<30 {
        try store.compact()
        #expect(try store.verify().findings.filter { $0.kind == .damage } == [])
      }
      store.close()
      started.kill()
    }
    #expect(child.failure == nil)
    var contents = Contents()
    for changes in child.acknowledged { contents.apply(changes) }
    let pending = child.pending.filter { !$0.isEmpty }
    let stored = try StoredState(at: path)
    #expect(stored.faults == [])
    let possible = (0..<(1 << pending.count)).map { chosen in
      pending.indices.filter { chosen & 1 << $0 != 0 }
        .reduce(contents) { $0.applying(pending[$1]) }
    }
    #expect(possible.contains(stored.contents))
    #expect(child.acknowledged.count > 10)
  }
}
