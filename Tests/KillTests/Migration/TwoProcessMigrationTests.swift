import Foundation
import KillProgram
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport
import Testing

/// Several processes or tasks that migrate a database, or use it during a migration.
@Suite struct TwoProcessMigrationTests {
  private func arguments(
    _ library: OldLibrary, _ workload: Workload = .migration, _ mode: Mode = .sound,
    way: MigrationWork.Way = .blocking
  ) -> Arguments {
    Arguments(path: library.path, workload: workload, mode: mode, seed: UInt64(way.rawValue))
  }

  @Test(arguments: [MigrationWork.Way.blocking, .task, .reading])
  func twoConcurrentProcessesMigrateOnce(_ way: MigrationWork.Way) throws {
    let library = try OldLibrary()
    let first = try Child(arguments(library, way: .blocking)) { _ in
      let second = try Child(arguments(library, way: way), killedAfter: nil)
      #expect(second.isDone && second.failure == nil, "\(second.failure ?? "")")
    }
    #expect(first.isDone && first.failure == nil, "\(first.failure ?? "")")
    let store = try library.open()
    defer { store.close() }
    try library.expectNew(store)
  }

  @Test(.timeLimit(.minutes(5)))
  func aMigrationLongerThanTheBusyTimeoutIsWaitedFor() throws {
    let library = try OldLibrary()
    let child = try Child(arguments(library, .migration, .slow)) { started in
      started.read(lines: 2)
      let store = try library.open(MagicOptions(busyTimeout: 0.05))
      defer { store.close() }
      let plan = try store.migrate(After.Shelf.self)
      #expect(plan.isEmpty)
      try library.expectNew(store)
    }
    #expect(child.isDone && child.failure == nil, "\(child.failure ?? "")")
  }

  @Test(.timeLimit(.minutes(5))) func theFirstUseWaitsForAMigrationToo() throws {
    let library = try OldLibrary()
    let child = try Child(arguments(library, .migration, .slow)) { started in
      started.read(lines: 2)
      let store = try library.open(MagicOptions(busyTimeout: 0.05))
      defer { store.close() }
      #expect(try store.object(of: After.Shelf.self).count == 10)
    }
    #expect(child.isDone && child.failure == nil, "\(child.failure ?? "")")
  }

  @Test func twoDatabasesOfOneProcessMigrateOnce() async throws {
    let library = try OldLibrary()
    let first = try await MagicData(path: library.path)
    let second = try await MagicData(path: library.path)
    async let one = first.migrate(After.Shelf.self)
    async let other = second.migrate(After.Shelf.self)
    let plans = try await [one, other]
    #expect(plans.count { $0.isEmpty } == 1)
    await first.close()
    await second.close()
    try expectNew(library)
  }

  @Test func aFirstUseByTwentyTasksMigratesOnce() async throws {
    let library = try OldLibrary()
    let magic = try await MagicData(path: library.path)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          switch number % 3 {
          case 0: try await magic.object(of: After.Shelf.self).count
          case 1: try await magic.object(of: After.Book.self).count / 6
          default: try await magic.object(of: After.Writer.self).count / 3
          }
        }
      }
      for try await count in group { #expect(count == 10) }
    }
    await magic.close()
    try expectNew(library)
  }

  private func expectNew(_ library: OldLibrary) throws {
    let store = try library.open()
    defer { store.close() }
    try library.expectNew(store)
  }

  @Test func aReaderWithAnOpenSnapshotSeesTheOldStateToItsEnd() throws {
    let library = try OldLibrary()
    let reader = try library.raw()
    defer { reader.close() }
    try reader.execute("BEGIN")
    let titles = "SELECT count(\"title\") FROM \"Book\""
    #expect(try reader.integer(titles) == 60)
    let store = try library.open()
    defer { store.close() }
    try store.migrate(After.Shelf.self)
    #expect(try reader.integer(titles) == 60)
    #expect(try reader.integer("SELECT count(*) FROM \"Author\"") == 30)
    try reader.execute("COMMIT")
    #expect(throws: SQLiteError.self) { try reader.integer(titles) }
    #expect(try reader.integer("SELECT count(\"name\") FROM \"Book\"") == 60)
    try library.expectNew(store)
  }

  @Test(.timeLimit(.minutes(5))) func aProgramWithOlderTypesGetsErrorsAndChangesNothing() throws {
    let library = try OldLibrary()
    let child = try Child(arguments(library, .older)) { started in
      started.read(lines: 2)
      try MigrationWork(library.path, way: .blocking).run()
      started.allowToContinue()
    }
    #expect(child.isDone && child.failure == nil, "\(child.failure ?? "")")
    try expectNew(library)
  }

  @Test func aDowngradeIsRefusedAndTheFileIsUnchanged() throws {
    let library = try OldLibrary()
    try MigrationWork(library.path, way: .blocking).run()
    let snapshot = try FileSnapshot(of: URL(fileURLWithPath: library.path))
    let calls: [(MagicObjectStore) throws -> Void] = [
      { try $0.migrate(Before.Shelf.self) },
      { _ = try $0.migrationPlan(for: Before.Shelf.self) },
      { _ = try $0.object(of: Before.Book.self) },
      { try $0.removeAll(of: Before.Book.self) },
    ]
    for isReadOnly in [false, true] {
      for call in calls[(isReadOnly ? 2 : 0)..<(isReadOnly ? 3 : 4)] {
        let store = try library.open(MagicOptions(readOnly: isReadOnly))
        let error = #expect(throws: MagicError.self) { try call(store) }
        #expect(error?.code == .newerSchema)
        store.close()
      }
    }
    #expect(try snapshot.changes().filter { !$0.contains("-shm") && !$0.contains("-wal") } == [])
  }
}
