import EngineConformance
import Foundation
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Searching for an object with a closure that itself reads and writes.
@Suite(.timeLimit(.minutes(5))) struct FirstTests {
  private let scratch = Scratch()

  private func fill(_ store: MagicObjectStore, _ count: Int = 300) throws {
    try store.update(contentsOf: (0..<count).map { Note("\($0)") })
  }

  @Test func theClosureReadsTheSameTypeInATransaction() throws {
    try scratch.using { store in
      try fill(store)
      var met = 0
      let found = try store.transaction { transaction in
        try transaction.first(of: Note.self) { _ in
          met += 1
          try #require(met <= 300)
          return try transaction.object(of: Note.self).isEmpty
        }
      }
      #expect(found == nil)
      #expect(met == 300)
    }
  }

  @Test func theClosureReadsTheSameTypeInASnapshot() throws {
    try scratch.using { store in
      try fill(store)
      var met: [String] = []
      let found = try store.read { snapshot in
        try snapshot.first(of: Note.self) { note in
          met.append(note.text)
          try #require(met.count <= 300)
          let inner = try snapshot.first(of: Note.self) { $0.text == "200" }
          return inner?.zIndex == note.zIndex
        }
      }
      #expect(found?.text == "200")
      #expect(met == (0...200).map(String.init))
    }
  }

  @Test func theClosureRemovesTheObjectsThatItReceives() throws {
    try scratch.using { store in
      try fill(store)
      var met = 0
      try store.transaction { transaction in
        _ = try transaction.first(of: Note.self) { note in
          met += 1
          try transaction.remove(note)
          return false
        }
      }
      #expect(met == 300)
      #expect(try store.object(of: Note.self).isEmpty)
    }
  }

  @Test func allPagesAreOfOneSnapshot() throws {
    try scratch.using { store in
      try fill(store)
      let done = DispatchSemaphore(value: 0)
      var met = 0
      _ = try store.first(of: Note.self) { _ in
        met += 1
        if met == 1 {
          Thread {
            _ = try? store.update(Note("late"))
            done.signal()
          }.start()
          done.wait()
        }
        return false
      }
      #expect(met == 300)
      #expect(try store.object(of: Note.self).count == 301)
    }
  }

  @Test(arguments: [0, 1, 63, 64, 65, 128]) func theClosureReceivesEachObjectOnceInOrder(count: Int)
    throws
  {
    try scratch.using { store in
      try fill(store, count)
      var met: [String] = []
      let found = try store.first(of: Note.self) {
        met.append($0.text)
        return false
      }
      #expect(found == nil)
      #expect(met == (0..<count).map(String.init))
    }
  }
}
