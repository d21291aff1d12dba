import Foundation
import MagicData
import MagicSQLite
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import Testing

/// A migration that is interrupted by an error of its steps or by its caller is rolled back
/// completely.
@Suite struct InterruptedMigrationTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let before: DatabaseDump

  enum Old {
    struct Parcel: MagicObject {
      static var tableName: String { "Parcel" }
      @MagicValue var label: String
      @MagicValue var weight: Int
      @MagicValue var note: MagicAsset<String>

      init() { note = .init() }
      init(_ number: Int) {
        (label, weight) = ("parcel \(number)", number)
        note = .init(value: "note \(number)")
      }
    }
  }

  enum New {
    struct Parcel: MagicObject {
      static var tableName: String { "Parcel" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      @MagicValue var note: MagicAsset<String>
      @MagicValue var copy: MagicAsset<String> = .init(value: "copy")

      init() { note = .init() }

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .sql("UPDATE \"Parcel\" SET \"weight\" = \"weight\" + 1"),
              .transformRows { old, new in
                let label = try old.value("label", as: String.self) ?? ""
                if label == "bad" { throw BadParcel() }
                if label.hasPrefix("cancel") { try Cancellations.shared.cancel(label) }
                try new.set("note", to: MagicAsset(value: "about \(label)"))
              },
            ]
          }
          MigrationStep {
            [
              // Never ends if a row has such a label; the test cancels it.
              .sql(
                """
                UPDATE "Parcel" SET "weight" = (WITH RECURSIVE n (i) AS \
                (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) \
                SELECT max(i) FROM n) WHERE "label" LIKE 'endless%'
                """)
            ]
          }
        }
      }
    }
  }

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("parcels.sqlite3").path
    let store = try MagicObjectStore.open(.file(path))
    try store.update(contentsOf: (1...50).map { Old.Parcel($0) })
    store.close()
    before = try DatabaseDump(of: path)
  }

  private func open() throws -> MagicObjectStore {
    try MagicObjectStore.open(.file(path), options: MagicOptions(durability: .normal))
  }

  /// Gives a row another label.
  private func label(_ row: Int, _ label: String) throws {
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    try connection.execute("UPDATE Parcel SET label = '\(label)' WHERE z_index = \(row)")
  }

  /// Restores the label of a row, expects the old state, and expects that the store migrates then.
  private func expectOldThenNew(
    _ row: Int, _ store: MagicObjectStore, at location: SourceLocation = #_sourceLocation
  ) throws {
    try store.expectDefaultSettings(at: location)
    try label(row, "parcel \(row)")
    let dump = try DatabaseDump(of: path)
    #expect(dump.faults == [], sourceLocation: location)
    #expect(dump.differences(from: before) == [], sourceLocation: location)
    try store.migrate(New.Parcel.self)
    let parcels = try store.object(of: New.Parcel.self)
    #expect(parcels.map(\.weight) == (2...51).map { Double($0) }, sourceLocation: location)
    #expect(
      parcels.map(\.note.value) == (1...50).map { "about parcel \($0)" }, sourceLocation: location)
    #expect(try store.verify().findings.isEmpty, sourceLocation: location)
    store.close()
    #expect(try DatabaseDump(of: path).leftovers == [], sourceLocation: location)
  }

  // MARK: A transform that throws

  enum Use: CaseIterable {
    case migrating, reading, saving, inTransaction
  }

  private func use(_ use: Use, _ store: MagicObjectStore) throws {
    switch use {
    case .migrating: try store.migrate(New.Parcel.self)
    case .reading: _ = try store.object(of: New.Parcel.self)
    case .saving: try store.update(newParcel())
    case .inTransaction:
      try store.transaction { transaction in _ = try transaction.object(of: New.Parcel.self) }
    }
  }

  private func newParcel() -> New.Parcel {
    let parcel = New.Parcel()
    (parcel.label, parcel.weight) = ("new", 0)
    return parcel
  }

  @Test(arguments: Use.allCases, [1, 25, 50])
  func aTransformThatThrowsKeepsTheOldState(_ use: Use, _ row: Int) throws {
    try label(row, "bad")
    let store = try open()
    let error = #expect(throws: MagicError.self) { try self.use(use, store) }
    #expect(error?.code == .migrationFailed)
    #expect(error?.cause is BadParcel)
    #expect(error?.message.contains("row \(row): ") == true)
    try expectOldThenNew(row, store)
  }

  @Test func aTransactionThatCatchesTheErrorKeepsItsOtherSaves() throws {
    try label(9, "bad")
    let store = try open()
    try store.transaction { transaction in
      try transaction.update(Memo("before"))
      #expect(throws: MagicError.self) { try transaction.object(of: New.Parcel.self) }
      try transaction.update(Memo("after"))
    }
    #expect(try store.object(of: Memo.self).map(\.text) == ["before", "after"])
    try store.removeAll(of: Memo.self)
    try store.expectDefaultSettings()
    store.close()
  }

  struct Memo: MagicObject {
    @MagicValue var text: String

    init() {}
    init(_ text: String) { self.text = text }
  }

  // MARK: Cancellation

  private func use(_ use: Use, _ magic: MagicData) async throws {
    switch use {
    case .migrating: try await magic.migrate(New.Parcel.self)
    case .reading: _ = try await magic.object(of: New.Parcel.self)
    case .saving: try await magic.update(newParcel())
    case .inTransaction:
      try await magic.transaction { transaction in
        _ = try transaction.object(of: New.Parcel.self).count
      }
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: Use.allCases, [false, true])
  func aCancelledTaskKeepsTheOldState(_ use: Use, _ isBlocking: Bool) async throws {
    let label = "cancel \(UUID().uuidString)"
    try self.label(30, label)
    let store = try open()
    let magic = try await MagicData(path: path)
    let task = Task {
      if isBlocking { try self.useBlocking(use, store) } else { try await self.use(use, magic) }
    }
    Cancellations.shared.register(label) { task.cancel() }
    await #expect(throws: CancellationError.self) { try await task.value }
    await magic.close()
    try finish(30, store)
  }

  @Test(.timeLimit(.minutes(5)), arguments: Use.allCases, [false, true])
  func aLongStatementIsInterruptedByCancellation(_ use: Use, _ isBlocking: Bool) async throws {
    try label(3, "endless")
    let begun = Flag()
    let store = try MagicObjectStore.open(
      .file(path),
      options: MagicOptions(
        durability: .normal, trace: { if $0.contains("WITH RECURSIVE n") { begun.set() } }))
    let magic = try await MagicData(path: path)
    let task = Task {
      if isBlocking { try self.useBlocking(use, store) } else { try await self.use(use, magic) }
    }
    while !begun.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await magic.close()
    try finish(3, store)
  }

  // Synchronous functions, which may block.
  private func useBlocking(_ use: Use, _ store: MagicObjectStore) throws {
    try self.use(use, store)
  }
  private func finish(_ row: Int, _ store: MagicObjectStore) throws {
    try expectOldThenNew(row, store)
  }
}

private struct BadParcel: Error {}

/// Cancels tasks from inside a migration. The label of the row that is transformed names the task.
private final class Cancellations: @unchecked Sendable {
  static let shared = Cancellations()
  private let lock = NSLock()
  private var actions: [String: @Sendable () -> Void] = [:]

  func register(_ label: String, _ action: @escaping @Sendable () -> Void) {
    lock.withLock { actions[label] = action }
  }

  /// Cancels the task of a label, after waiting until it is registered.
  func cancel(_ label: String) throws {
    for _ in 0..<10_000 {
      if let action = lock.withLock({ actions[label] }) { return action() }
      usleep(1_000)
    }
    throw BadParcel()
  }
}

/// A flag that is set once.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
