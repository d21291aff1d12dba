import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SeveralHandlesTests {
  @Test func changesThroughAnotherHandleAreExact() async throws {
    let database = try await OutDatabase()
    let other = try await database.open()
    var changes = other.changes(of: OutNote.self).makeAsyncIterator()
    let zIndex = try await database.magic.update(OutNote("second"))
    #expect(await changes.next()?.inserted == [zIndex])
    try await database.magic.sql("UPDATE OutNote SET rank = 5 WHERE z_index = \(zIndex)").run()
    let second = try #require(await changes.next())
    #expect(second.isComplete && second.origin == .process)
    #expect(second.updated.mapValues(\.names) == [zIndex: ["rank"]])
  }

  @Test func aReadOnlyHandleReportsTheRows() async throws {
    let database = try await OutDatabase()
    let reading = try await database.open(readOnly: true)
    var changes = reading.changes(of: OutNote.self).makeAsyncIterator()
    var values = reading.query(OutNote.self).values().makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    let zIndex = try await database.magic.update(OutNote("second"))
    let element = try #require(await changes.next())
    #expect(element.isComplete && element.inserted == [zIndex])
    #expect(try await values.next()?.count == 2)
  }

  @Test func aHandleThroughASymbolicLinkReportsTheRows() async throws {
    let database = try await OutDatabase()
    let link = database.directory.file("link.sqlite3")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(fileURLWithPath: database.path))
    let other = try await MagicData(path: link.path)
    var changes = other.changes(of: OutNote.self).makeAsyncIterator()
    let zIndex = try await database.magic.update(OutNote("second"))
    #expect(await changes.next()?.inserted == [zIndex])
  }

  @Test func aDatabaseInMemoryReportsItsChanges() async throws {
    let magic = try await MagicData(type: .memory)
    var changes = magic.changes(of: OutNote.self).makeAsyncIterator()
    let zIndex = try await magic.update(OutNote("first"))
    #expect(await changes.next()?.inserted == [zIndex])
    await magic.close()
    #expect(await changes.next() == nil)
  }

  @Test func closingOneHandleDoesNotEndTheStreamsOfOthers() async throws {
    let database = try await OutDatabase()
    let other = try await database.open()
    var own = database.magic.changes(of: OutNote.self).makeAsyncIterator()
    var others = other.changes(of: OutNote.self).makeAsyncIterator()
    let zIndex = try await other.update(OutNote("second"))
    await database.magic.close()
    #expect(await own.next()?.inserted == [zIndex])
    #expect(await own.next() == nil)
    try await other.update(OutNote("third"))
    #expect(await others.next()?.inserted == [zIndex])
    #expect(await others.next()?.inserted.count == 1)
  }

  @Test func aStreamKeepsAReleasedDatabaseOpen() async throws {
    let database = try await OutDatabase()
    await database.magic.close()
    let (stream, store) = try await letGo(database)
    #expect(store.value != nil)
    // Another handle still shares this store.
    let other = try await database.open()
    #expect(store.value === other.store.shared)
    let zIndex = try await other.update(OutNote("second"))
    var changes = stream.makeAsyncIterator()
    #expect(await changes.next()?.inserted == [zIndex])
    await other.close()
  }

  @Test func nothingIsRetainedAfterTheLastObserver() async throws {
    let database = try await OutDatabase()
    await database.magic.close()
    var kept: WeakStore
    do {
      let (stream, store) = try await letGo(database)
      kept = store
      var changes = stream.makeAsyncIterator()
      let waiting = Task { await changes.next()?.inserted.count }
      waiting.cancel()
      #expect(await waiting.value == nil)
    }
    // The polling thread may still retain it.
    #expect(await eventually { kept.value == nil })
    let again = try await database.open()
    try await again.update(OutNote("second"))
    #expect(try await again.object(of: OutNote.self).count == 2)
    await again.close()
  }

  private final class WeakStore: @unchecked Sendable {
    weak var value: SharedStore?

    init(_ value: SharedStore) { self.value = value }
  }

  private func letGo(
    _ database: OutDatabase
  ) async throws -> (MagicChangeStream<MagicChanges<OutNote>>, WeakStore) {
    let magic = try await database.open()
    return (magic.changes(of: OutNote.self), WeakStore(magic.store.shared))
  }
}
