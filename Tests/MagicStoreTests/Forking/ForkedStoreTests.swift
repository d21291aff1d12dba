import CFork
import EngineConformance
import Foundation
import MagicFiles
import MagicSQLite
import MagicSchema
import MagicTestSupport
import SQLiteFiles
import SQLiteTables
import TestModels
import Testing

@testable import MagicStore
@testable import SQLiteStore

/// In the child of a fork, a store of the parent refuses every call and does not change its files.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ForkedStoreTests {
  private let scratch = Scratch()

  /// Expects that the child found no fault and ran to its end.
  private func expectSound(
    _ child: ForkedChild, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(child.findings == [], sourceLocation: location)
    #expect(child.status == 0, sourceLocation: location)
  }

  /// The locks of this process, as the system lists them.
  private func locks() throws -> [String] {
    let own = " \(ProcessInfo.processInfo.processIdentifier) "
    return try String(contentsOfFile: "/proc/locks", encoding: .utf8)
      .split(separator: "\n").filter { $0.contains(own) }
      .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }.sorted()
  }

  @Test func everyCallIsRefused() throws {
    let store = try scratch.open()
    let ticket = Ticket("one")
    try store.update(ticket)
    let before = scratch.contents
    let child = try ForkedChild { found in
      let calls: [(String, () throws -> Void)] = [
        ("update", { try store.update(Ticket("two")) }),
        ("update of many", { try store.update(contentsOf: [ticket, Ticket("two")]) }),
        ("remove", { try store.remove(ticket) }),
        ("removeAll", { try store.removeAll(of: Ticket.self) }),
        ("object", { _ = try store.object(of: Ticket.self) }),
        ("object by primary", { _ = try store.object(of: Ticket.self, primary: 1) }),
        ("has", { _ = try store.has(of: Ticket.self, primary: 1) }),
        ("read", { try store.read { _ in } }),
        ("transaction", { try store.transaction { _ in } }),
        ("verify", { _ = try store.verify() }),
        ("backup", { try store.backup(to: scratch.file("copy.sqlite3")) }),
        ("migrationPlan", { _ = try store.migrationPlan(for: Ticket.self) }),
        ("migrate", { try store.migrate(Ticket.self) }),
      ]
      for (name, call) in calls { found.expect(code(call) == .forked, "\(name) is not refused") }
    }
    expectSound(child)
    #expect(scratch.contents == before)
    try store.update(Ticket("two"))
    #expect(try store.object(of: Ticket.self).map(\.title) == ["one", "two"])
  }

  @Test func theMessageSaysWhatToDo() throws {
    #expect(MagicError.forked().description.contains("before this process was forked"))
  }

  @Test func closingAndReleasingDoNotChangeTheFiles() throws {
    var closed: MagicObjectStore? = try scratch.open()
    var letGo: MagicObjectStore? = try MagicObjectStore.open(.file(scratch.file("other.sqlite3")))
    var private_: MagicObjectStore? = try MagicObjectStore.open(.temporary)
    for store in [closed, letGo, private_] { try store?.update(Ticket("one")) }
    // Other processes have private directories too.
    let assets = try #require(private_).shared.files.folder.path
    let directory = URL(fileURLWithPath: assets).deletingLastPathComponent().path
    let before = scratch.contents
    #expect(before["test.sqlite3-wal"]??.isEmpty == false)
    let child = try ForkedChild { found in
      closed?.close()
      (closed, letGo, private_) = (nil, nil, nil)
      found.expect(scratch.contents == before, "the files are others")
    }
    expectSound(child)
    #expect(scratch.contents == before)
    #expect(FileManager.default.fileExists(atPath: directory + "/default.sqlite3"))
    for store in [closed, letGo, private_] {
      try store?.update(Ticket("two"))
      #expect(try store?.object(of: Ticket.self).count == 2)
      #expect(try store?.verify().findings.isEmpty == true)
    }
  }

  @Test func theParentKeepsItsLocks() throws {
    var store: MagicObjectStore? = try scratch.open()
    try store?.update(Ticket("one"))
    let before = try locks()
    #expect(before.count >= 2)
    let child = try ForkedChild { _ in
      store?.close()
      store = nil
    }
    expectSound(child)
    #expect(try locks() == before)
  }

  @Test func aForkInsideATransactionIsCommittedOnce() throws {
    let store = try scratch.open()
    var child: Int32 = -1
    let outcome = code {
      try store.transaction { transaction in
        try transaction.update(Ticket("one"))
        child = cfork_split()
        guard child == 0 else { return }
        let refused = code { try transaction.update(Ticket("child")) }
        if refused != .forked { cfork_end(1) }
      }
    }
    if child == 0 { cfork_end(outcome == .forked ? 0 : 2) }
    #expect(cfork_wait(child) == 0)
    #expect(outcome == nil)
    #expect(try store.object(of: Ticket.self).map(\.title) == ["one"])
    #expect(try store.verify().findings.isEmpty)
  }

  @Test func aForkInsideAReadIsRefusedOnlyInTheChild() throws {
    let store = try scratch.open()
    try store.update(contentsOf: (0..<10).map { Ticket("\($0)") })
    var child: Int32 = -1
    let code = code {
      try store.read { snapshot in
        _ = try snapshot.object(of: Ticket.self)
        child = cfork_split()
      }
    }
    if child == 0 { cfork_end(code == .forked ? 0 : 1) }
    #expect(cfork_wait(child) == 0)
    #expect(code == nil)
    try store.update(Ticket("ten"))
    #expect(try store.object(of: Ticket.self).count == 11)
  }

  @Test func aFileThatTheParentHasOpenCannotBeOpened() throws {
    let store = try scratch.open()
    try store.update(Ticket("one"))
    let child = try ForkedChild { found in
      found.expect(code { _ = try scratch.open() } == .forked, "the file is opened")
      let reading = code { _ = try scratch.open(MagicOptions(readOnly: true)) }
      found.expect(reading == .forked, "the file is opened for reading")
    }
    expectSound(child)
    try store.update(Ticket("two"))
  }

  @Test func theChildCanOpenAFileThatWasNotOpen() throws {
    let store = try scratch.open()
    try store.update(Ticket("one"))
    let path = scratch.file("childs.sqlite3")
    let child = try ForkedChild { found in
      let own = try MagicObjectStore.open(.file(path))
      try own.update(Ticket("child"))
      found.expect(try own.object(of: Ticket.self).count == 1, "nothing was stored")
      own.close()
    }
    expectSound(child)
    let own = try MagicObjectStore.open(.file(path))
    #expect(try own.object(of: Ticket.self).map(\.title) == ["child"])
  }

  @Test func theChildIdentifiesObjectsOfAFileThatWasClosed() throws {
    let ticket = Note("one")
    try scratch.using { try $0.update(ticket) }
    let child = try ForkedChild { found in
      let store = try scratch.open()
      ticket.text = "two"
      try store.update(ticket)
      found.expect(try store.object(of: Note.self).map(\.text) == ["two"], "it has another row")
      store.close()
    }
    expectSound(child)
    let rows = try scratch.using { try $0.object(of: Note.self).map(\.text) }
    #expect(rows == ["two"])
  }

  @Test func aStoreOfTheChildIsRefusedInItsOwnChild() throws {
    let path = scratch.file("childs.sqlite3")
    let child = try ForkedChild { found in
      let own = try MagicObjectStore.open(.file(path))
      try own.update(Ticket("child"))
      let grandchild = try ForkedChild { found in
        found.expect(code { try own.update(Ticket("x")) } == .forked, "the grandchild writes")
      }
      found.expect(grandchild.findings == [] && grandchild.status == 0, "the grandchild failed")
      try own.update(Ticket("again"))
      found.expect(try own.object(of: Ticket.self).count == 2, "the child cannot continue")
    }
    expectSound(child)
  }

  @Test func aConnectionIsNeitherUsedNorClosed() throws {
    let connection = try SQLiteConnection(path: scratch.file())
    try connection.execute("CREATE TABLE t (x)")
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try connection.begin(.immediate)
    try insert.run()
    let child = try ForkedChild { found in
      found.expect((try? connection.commit()) == nil, "the child commits")
      found.expect((try? connection.execute("SELECT 1")) == nil, "the child runs SQL")
      connection.rollBack()
      connection.close()
    }
    expectSound(child)
    try connection.commit()
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func theChildIsRefusedImmediatelyWhileOtherThreadsWrite() throws {
    let store = try scratch.open()
    try store.update(Ticket("one"))
    let isDone = Flag()
    let writers = DispatchGroup()
    for number in 0..<3 {
      DispatchQueue.global().async(group: writers) {
        while !isDone.isSet { _ = try? store.update(Ticket("\(number)")) }
      }
    }
    for _ in 0..<20 {
      let child = try ForkedChild { found in
        found.expect(code { try store.update(Ticket("child")) } == .forked, "the child writes")
        found.expect(code { _ = try store.object(of: Ticket.self) } == .forked, "the child reads")
        store.close()
      }
      expectSound(child)
    }
    isDone.set()
    writers.wait()
    #expect(try !store.object(of: Ticket.self).contains { $0.title == "child" })
    #expect(try store.verify().findings.isEmpty)
  }
}
