import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Edits of lazy collections together with what else depends on the members.
@Suite(.everyEngine) struct EditedOwnersTests {
  struct Line: MagicObject {
    @MagicValue var text: String
    init() {}
    init(_ text: String) { self.text = text }
  }

  struct Order: MagicObject {
    @MagicValue var number: Int = 0
    @MagicValue(.owned) var lines: AsyncMagical<[Line]> = .init(value: [])
    @MagicVersion var version: Int
    init() {}
  }

  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open() async throws -> (MagicData, Order) {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let order = Order()
    order.lines.append(contentsOf: [Line("a"), Line("b")])
    try await magic.update(order)
    return (magic, try #require(try await magic.query(Order.self).first()))
  }

  private func texts(_ order: Order) async throws -> [String] {
    try await order.lines.get().map(\.text)
  }

  @Test(.requires(.queries)) func membersOfAnOwnedListMove() async throws {
    let (magic, order) = try await open()
    let lines = try await order.lines.get()
    let other = Order()
    try await magic.update(other)
    other.lines.append(lines[0])
    order.lines.append(Line("c"))
    try await magic.update(other)
    try await magic.update(order)
    #expect(try await texts(order) == ["b", "c"])
    #expect(try await texts(other) == ["a"])
    order.lines.append(lines[1])  // moves to the end
    try await magic.update(order)
    #expect(try await texts(order) == ["c", "b"])
    order.lines.remove(lines[1])
    try await magic.update(order)
    #expect(try await texts(order) == ["c"])
    #expect(try await magic.query(Line.self).count() == 3)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test(.requires(.queries)) func anEditIncrementsTheVersion() async throws {
    let (magic, order) = try await open()
    let stale = try #require(try await magic.query(Order.self).first())
    order.lines.append(Line("c"))
    try await magic.update(order)
    #expect(order.version == 2)
    stale.lines.append(Line("d"))
    await expect(.conflict) { try await magic.update(stale) }
    #expect(try await texts(order) == ["a", "b", "c"])
    try await magic.refresh(stale)
    stale.lines.append(Line("d"))
    try await magic.update(stale)
    #expect(try await texts(order) == ["a", "b", "c", "d"])
  }

  @Test(.requires(.queries)) func anEditIsObserved() async throws {
    let (magic, order) = try await open()
    var changes = magic.changes(of: Order.self).makeAsyncIterator()
    let query = magic.query(Order.self).where { $0.$lines.contains { $0.$text == "c" } }
    var results = query.values().makeAsyncIterator()
    #expect(try await results.next()?.count == 0)
    order.lines.append(Line("c"))
    try await magic.update(order)
    let change = try #require(await changes.next())
    #expect(change.hasChanged(\.$lines))
    #expect(try await results.next()?.count == 1)
  }

  @Test(.requires(.queries)) func aCancelledSaveKeepsTheEdits() async throws {
    let (magic, order) = try await open()
    order.lines.append(Line("c"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await magic.update(order)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(order.hasChanges)
    #expect(try await magic.query(Line.self).count() == 2)
    try await magic.update(order)
    #expect(try await texts(order) == ["a", "b", "c"])
  }

  @Test(.requires(.queries)) func anotherInstanceOfAnInsertedMemberIsRemoved() async throws {
    let (magic, order) = try await open()
    let (line, same) = (
      try await magic.query(Line.self).where(\.$text == "a").first(),
      try await magic.query(Line.self).where(\.$text == "a").first()
    )
    order.lines.append(try #require(line))
    order.lines.remove(try #require(same))
    #expect(try await texts(order) == ["b"])
    try await magic.update(order)
    #expect(try await texts(order) == ["b"])
  }

  @Test(.requires(.queries)) func includedMembersAreEdited() async throws {
    let (magic, _) = try await open()
    let order = try #require(try await magic.query(Order.self).including(\.$lines).first())
    order.lines.append(Line("c"))
    #expect(try await texts(order) == ["a", "b", "c"])
    #expect(try await order.lines.count == 3)
    try await magic.update(order)
    #expect(try await texts(order) == ["a", "b", "c"])
  }

  @Test(.requires(.queries)) func aRefreshDiscardsEdits() async throws {
    let (magic, order) = try await open()
    order.lines.append(Line("c"))
    try await magic.refresh(order)
    #expect(try await texts(order) == ["a", "b"])
    #expect(!order.hasChanges)
  }

  @Test(.requires(.queries)) func aSessionStoresEdits() async throws {
    let (magic, order) = try await open()
    order.lines.append(Line("c"))
    let session = magic.session()
    session.add(order)
    try await session.commit()
    #expect(try await texts(order) == ["a", "b", "c"])
    #expect(!order.hasChanges)
  }
}
