import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Typed queries from tasks.
@Suite(.everyEngine) struct TypedQueryTests {
  private let scratch = Scratch()

  private func database(_ count: Int) async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(
      contentsOf: (0..<count).map {
        Entry(number: $0, group: $0 % 7 == 0 ? nil : $0 % 5, title: "title \($0 % 11)")
      })
    return magic
  }

  @Test func everyTerminalOperationIsSupported() async throws {
    let magic = try await database(100)
    let query = magic.query(Entry.self).where(\.$number < 50)
    #expect(try await query.all().count == 50)
    #expect(try await query.order(by: \.$number).first()?.number == 0)
    #expect(try await query.count() == 50)
    #expect(try await query.exists())
    #expect(try await query.sum(\.$number) == 1_225)
    #expect(try await query.max(\.$group) == 4)
    #expect(try await query.average(\.$number) == 24.5)
    #expect(try await query.select(\.$number, \.$group).all().count == 50)
    #expect(try await query.select(\.$group).distinct().count() == 6)
    #expect(try await query.grouped(by: \.$group).count().map(\.count).reduce(0, +) == 50)
    #expect(try await query.update(set: \.$number += 1_000) == 50)
    #expect(try await magic.query(Entry.self).where(\.$number >= 1_000).delete() == 50)
    #expect(try await MagicQuery(Entry.self).bound(to: magic).count() == 50)
    let left = try await magic.transaction { transaction in
      try transaction.query(Entry.self).limit(10).delete()
      return try transaction.query(Entry.self).count()
    }
    #expect(left == 40)
    await magic.close()
  }

  @Test func pagesAndCombinationsAreReadInTasksTransactionsAndSnapshots() async throws {
    let magic = try await database(100)
    let query = magic.query(Entry.self).order(by: \.$number)
    let first = try await query.page(limit: 20)
    #expect(first.objects.map(\.number) == Array(0..<20))
    #expect(try await query.page(after: first.next, limit: 90).objects.count == 80)
    let last = try await query.page(before: nil, limit: 30)
    #expect(try await query.page(before: last.previous, limit: 1).objects.map(\.number) == [69])
    let ends = query.where(\.$number < 2).union(MagicQuery(Entry.self).where(\.$number > 97))
    #expect(try await ends.all().map(\.number) == [0, 1, 98, 99])
    let left = try await magic.transaction { transaction in
      try transaction.query(Entry.self).where(\.$number < 25).delete()
      return try transaction.query(Entry.self).order(by: \.$number)
        .page(after: first.next, limit: 2).objects.map(\.number)
    }
    #expect(left == [25, 26])
    let read = try await magic.read { snapshot in
      try MagicQuery(Entry.self).order(by: \.$number).bound(to: snapshot)
        .page(before: first.next, limit: 2)
    }
    #expect(read.objects.isEmpty && read.previous == nil && read.next == first.next)
    await magic.close()
  }

  @Test func pagesAndCombinationsAreObserved() async throws {
    let magic = try await database(10)
    let query = magic.query(Entry.self).where(\.$number < 2).union(
      MagicQuery(Entry.self).order(by: \.$number, .descending).limit(2))
    var combined = query.order(by: \.$number).values().makeAsyncIterator()
    var pages = magic.query(Entry.self).order(by: \.$group, .descending)
      .values { try $0.page(before: nil, limit: 2) }.makeAsyncIterator()
    #expect(try await combined.next()?.map(\.number) == [0, 1, 8, 9])
    #expect(try await pages.next()?.objects.map(\.number) == [0, 7])
    try await magic.update(Entry(number: 10, group: nil, title: ""))
    #expect(try await combined.next()?.map(\.number) == [0, 1, 9, 10])
    #expect(try await pages.next()?.objects.map(\.number) == [7, 10])
    await magic.close()
  }

  @Test func aStreamReturnsEachObjectOnceInOrder() async throws {
    let magic = try await database(1_300)
    let all = magic.query(Entry.self)
    let queries = [
      all, all.order(by: \.$number, .descending), all.order(by: \.$group),
      all.order(by: \.$group, .descending).order(by: \.$title),
      all.order(by: \.$title, .descending).order(by: \.$group, .descending),
      all.order(by: \.$group).limit(700).offset(20), all.order(by: \.$title).limit(512),
      all.where(\.$group == nil).order(by: \.$group).order(by: \.$number), all.limit(0),
      all.order { -$0.$number }.offset(600),
    ]
    for query in queries {
      var streamed: [Int] = []
      for try await entry in query.stream() { streamed.append(entry.number) }
      let ordered = query.order { $0.zIndex }
      #expect(try await ordered.select(\.$number).all() == streamed)
    }
    await magic.close()
  }

  @Test func aStreamReadsPagesOfAtMost512Rows() async throws {
    let recorder = Recorder<String>()
    let magic = try await database(1_100)
    let again = try await magic.reopened(
      path: scratch.file(), options: MagicOptions(logger: recorder.logger()))
    var count = 0
    for try await _ in again.query(Entry.self).stream() { count += 1 }
    #expect(count == 1_100)
    if TestedEngine.current.has(.statements) {
      #expect(recorder.all.filter { $0.contains("FROM \"Entry\" AS t0") }.count == 3)
    }
    await again.close()
  }

  @Test func aRowThatIsDeletedMeanwhileIsOmitted() async throws {
    let magic = try await database(1_100)
    var seen: [Int] = []
    for try await entry in magic.query(Entry.self).order(by: \.$number).stream() {
      if seen.isEmpty { try await magic.query(Entry.self).where(\.$number == 900).delete() }
      seen.append(entry.number)
    }
    #expect(seen == (0..<1_100).filter { $0 != 900 })
    await magic.close()
  }

  @Test func aRandomOrderCannotBeStreamed() async throws {
    let magic = try await database(3)
    await #expect(throws: MagicError.self) {
      for try await _ in magic.query(Entry.self).order(.random).stream() {}
    }
    await #expect(throws: MagicError.self) {
      for try await _ in magic.query(Entry.self).limit(-1).stream() {}
    }
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5))) func aCancelledTaskEndsItsStream() async throws {
    let magic = try await database(1_100)
    let task = Task {
      var count = 0
      for try await _ in magic.query(Entry.self).stream() {
        count += 1
        if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    await magic.close()
  }

  @Test func aCancelledTaskRunsNoQuery() async throws {
    let magic = try await database(3)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await magic.query(Entry.self).delete()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.query(Entry.self).count() == 3)
    await magic.close()
  }
}

private struct Entry: MagicObject {
  @MagicValue(.indexed) var number: Int = 0
  @OptionMagicValue var group: Int?
  @MagicValue var title: String = ""

  init() {}

  init(number: Int, group: Int?, title: String) {
    self.number = number
    self.group = group
    self.title = title
  }
}
