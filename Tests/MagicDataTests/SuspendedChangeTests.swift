import EngineConformance
import Foundation
import MagicData
import TestModels
import Testing

/// In-place changes of a property that span an `await`.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct SuspendedChangeTests {
  /// Saves the object that the text belongs to, in the middle of its change.
  @Test func aVerbInsideAChangeOfItsOwnTaskNamesTheProperty() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let note = Note("a")
    try await magic.update(note)
    let error = await #expect(throws: MagicError.self) {
      try await note.text.appendAndSave(magic, note)
    }
    #expect(error?.code == .changeInProgress)
    #expect(error?.type == "Note")
    #expect(error?.property == "text")
    #expect(note.text == "ab")
    try await magic.update(note)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["ab"])
  }

  @Test func aVerbInsideASynchronousChangeNamesTheProperty() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    // Otherwise an engine may run the body again, because it has no table yet.
    try await magic.update(Note("first"))
    try await magic.removeAll(of: Note.self)
    let note = Note("a")
    let error = await #expect(throws: MagicError.self) {
      try await magic.transaction { try note.text.appendAndSave($0, note) }
    }
    #expect(error?.code == .changeInProgress)
    #expect(error?.property == "text")
    #expect(note.text == "ab")
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test func aTransactionInsideAChangeOfItsOwnTaskNamesTheProperty() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let note = Note("a")
    let error = await #expect(throws: MagicError.self) {
      try await note.text.appendAndSaveInTransaction(magic, note)
    }
    #expect(error?.code == .changeInProgress)
    #expect(error?.property == "text")
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test func aVerbInsideAChangeOnAnActorNamesTheProperty() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let note = Note("a")
    let error = await #expect(throws: MagicError.self) {
      try await Writer().appendAndSave(note, magic)
    }
    #expect(error?.code == .changeInProgress)
    #expect(error?.property == "text")
    #expect(note.text == "ab")
  }

  /// It would wait for the writer, whose thread may wait for the property. It runs on its own
  /// thread, so that the change is atomic in every build.
  @Test func aCallThatBlocksInsideASynchronousChangeIsRefused() async throws {
    let store = try MagicObjectStore.onTestedEngine(.memory)
    let (note, other) = (Note("a"), Note("x"))
    await withCheckedContinuation { continuation in
      Thread {
        let own = #expect(throws: MagicError.self) { try note.text.appendAndSave(store, note) }
        #expect(own?.code == .changeInProgress)
        #expect(own?.property == "text")
        let second = #expect(throws: MagicError.self) { try note.text.appendAndSave(store, other) }
        #expect(second?.code == .changeInProgress)
        continuation.resume()
      }.start()
    }
    let magic = MagicData(store: store)
    #expect(try await magic.object(of: Note.self).isEmpty)
    #expect(note.text == "abb")
    try await magic.update(note)
  }

  @Test func aVerbInsideMoreChangesThanAreTrackedIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let notes = (0..<9).map { Note("\($0)") }
    @Sendable func change(_ depth: Int, _ transaction: borrowing MagicTransaction) throws {
      guard depth < notes.count else {
        _ = try transaction.update(notes[8])
        return
      }
      try notes[depth].text.change({ try change(depth + 1, $0) }, with: transaction)
    }
    let error = await #expect(throws: MagicError.self) {
      try await magic.transaction { try change(0, $0) }
    }
    #expect(error?.code == .changeInProgress)
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test func aVerbMayWriteOtherObjectsInsideAChange() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let (note, other) = (Note("a"), Note("x"))
    try await note.text.appendAndSave(magic, other)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["x"])
    #expect(note.text == "ab")
  }

  @Test func aGraphWithAChangedMemberIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let shelf = Shelf()
    shelf.notes = [Note("a"), Note("b")]
    try await magic.update(shelf)
    let fetched = try #require(try await magic.object(of: Shelf.self).first)
    let error = await #expect(throws: MagicError.self) {
      try await fetched.notes.appendAndSave(Note("c"), magic, fetched)
    }
    #expect(error?.property == "notes")
    let member = fetched.notes[0]
    let second = await #expect(throws: MagicError.self) {
      try await member.text.appendAndSave(magic, fetched)
    }
    #expect(second?.type == "Note")
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "b"])
    try await magic.update(fetched)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["ab", "b", "c"])
  }

  @Test(arguments: Place.allCases)
  func aReaderSeesTheValueFromBeforeAChangeThatIsSuspended(_ place: Place) async throws {
    let note = Note("a")
    try await place.suspendedChange(of: note) {
      #expect(note.text == "a")
      #expect(await Task.detached { note.text }.value == "a")
      #expect(await Reader().text(of: note) == "a")
    }
    #expect(note.text == "abc")
  }

  @Test(arguments: Place.allCases)
  func aSaverStoresTheValueFromBeforeAChangeThatIsSuspended(_ place: Place) async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let note = Note("a")
    try await place.suspendedChange(of: note) {
      try await magic.update(note)
      #expect(try await magic.object(of: Note.self).map(\.text) == ["a"])
    }
    try await magic.update(note)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["abc"])
  }

  @Test(arguments: Place.allCases)
  func theEndOfASuspendedChangeReplacesAValueThatWasSetMeanwhile(_ place: Place) async throws {
    let note = Note("a")
    try await place.suspendedChange(of: note) {
      note.text = "x"
      #expect(note.text == "x")
      note.text += "y"
      #expect(note.text == "xy")
    }
    #expect(note.text == "abc")
  }

  @Test func aSuspendedChangeBlocksNoThread() async throws {
    let notes = (0..<32).map { _ in Note("a") }
    let gates = notes.map { _ in Gate() }
    let changes = zip(notes, gates).map { note, gate in
      Task { await note.text.append("b", then: "c", at: gate) }
    }
    for gate in gates { await gate.waitUntilReached() }
    await withTaskGroup(of: Void.self) { group in
      for note in notes {
        group.addTask { #expect(note.text == "a") }
        group.addTask { note.stars = 1 }
      }
    }
    for gate in gates { await gate.open() }
    for change in changes { await change.value }
    #expect(notes.allSatisfy { $0.text == "abc" && $0.stars == 1 })
  }

  @Test func additionsInTasksAreAllCounted() async {
    let lamp = Lamp()
    lamp.watts = 0
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1_000 { lamp.watts += 1 }
        }
      }
    }
    #expect(lamp.watts == 8_000)
  }

  @Test func additionsBetweenSuspensionsAreAllCounted() async {
    let lamp = Lamp()
    lamp.watts = 0
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            lamp.watts += 1
            await Task.yield()
          }
        }
      }
    }
    #expect(lamp.watts == 1_600)
  }

  /// In a loop that suspends, the compiler does not say that a change cannot. So some changes copy the list:
  /// the first, some after each change that the system interrupted, and others that take a small share of
  /// the time.
  @Test func fewChangesBetweenSuspensionsCopyTheList() async {
    let shelf = Shelf()
    let count = 4_000
    var (address, copies) = (UInt(0), 0)
    for _ in 0..<4 {
      for number in 0..<count {
        shelf.names.append("\(number)")
        let current = shelf.names.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        if current != address { copies += 1 }
        address = current
      }
      await Task.yield()
    }
    #expect(shelf.names.count == 4 * count)
    #expect(copies < count)
  }

  @Test func aListThatGrowsIsNeverReadShorter() async {
    let shelf = Shelf()
    let count = 20_000
    let reading = Task.detached {
      var counts: [Int] = []
      while counts.last != count {
        counts.append(shelf.names.count)
        await Task.yield()
      }
      return counts
    }
    for number in 0..<count {
      shelf.names.append("\(number)")
      if number % 1_000 == 0 { await Task.yield() }
    }
    let counts = await reading.value
    #expect(counts == counts.sorted())
  }

  /// Other readers of such a change may miss the last appended elements. Their value is not saved.
  @Test func noEarlierValueThanTheOneFromBeforeASuspendedChangeIsSaved() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let shelf = Shelf()
    let gate = Gate()
    let change = Task {
      for number in 0..<40_000 {
        shelf.names.append("\(number)")
        if number % 10_000 == 0 { await Task.yield() }
      }
      await shelf.names.append("last", at: gate)
    }
    await gate.waitUntilReached()
    let count = await Task.detached { shelf.names.count }.value
    #expect((1...40_000).contains(count))
    do {
      _ = try await Task.detached { try await magic.update(shelf) }.value
      #expect(count == 40_000)
      #expect(try await magic.object(of: Shelf.self)[0].names.count == 40_000)
    } catch let error as MagicError {
      #expect(error.code == .changeInProgress)
      #expect(try await magic.object(of: Shelf.self).isEmpty)
    }
    await gate.open()
    await change.value
    #expect(shelf.names.count == 40_001)
    #expect(shelf.names.last == "last")
    try await magic.update(shelf)
    #expect(try await magic.object(of: Shelf.self)[0].names.count == 40_001)
  }

  @Test func aChangeThatThrowsAfterASuspensionKeepsItsEarlierChanges() async {
    struct Surprise: Error {}
    func change(_ text: inout String) async throws {
      text += "b"
      await Task.yield()
      throw Surprise()
    }
    let note = Note("a")
    await #expect(throws: Surprise.self) { try await change(&note.text) }
    #expect(note.text == "ab")
    note.text += "c"
    #expect(note.text == "abc")
  }

  @Test func aCancelledChangeEndsLikeAnyOther() async throws {
    let note = Note("a")
    let task = Task { try await note.text.appendAfterSleep("b") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    note.text += "c"
    #expect(note.text == "ac")
  }

  @Test func propertiesOfEveryKindAreChangedAcrossASuspension() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let shelf = Shelf()
    shelf.notes = [Note("a")]
    try await magic.update(shelf)
    let fetched = try #require(try await magic.object(of: Shelf.self).first)
    await fetched.notes.append(Note("b"), at: .yield)
    await fetched.best.set(to: Note("c"))
    await fetched.number.set(to: 7)
    await fetched.names.append("n", at: .yield)
    try await magic.update(fetched)
    let again = try #require(try await magic.object(of: Shelf.self).first)
    #expect(again.notes.map(\.text) == ["a", "b"])
    #expect(again.best?.text == "c")
    #expect(again.number == 7)
    #expect(again.names == ["n"])
  }

  #if !os(Windows)
    @Test func readingAPropertyInItsOwnSuspendedChangeFailsWithAnExplanation() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        func change(_ text: inout String, _ note: Note) async {
          await Task.yield()
          text = note.text + "b"
        }
        let note = Note("a")
        await change(&note.text, note)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("MagicData: a property was used inside its own in-place change."))
    }
  #endif
}

extension SuspendedChangeTests {
  struct Shelf: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var notes: [Note] = []
    @OptionMagicValue var best: Note?
    @MagicValue var names: [String] = []

    init() {}
  }

  /// The kind of code that changes the value and suspends.
  enum Place: CaseIterable, Sendable {
    case task, detachedTask, actor, mainActor

    /// Changes a text from "a" to "abc", and runs a body in the middle of it.
    func suspendedChange(
      of note: Note, meanwhile body: () async throws -> Void
    ) async throws {
      let gate = Gate()
      let change =
        switch self {
        case .task: Task { await note.text.append("b", then: "c", at: gate) }
        case .detachedTask: Task.detached { await note.text.append("b", then: "c", at: gate) }
        case .actor: Task { await Writer().change(note, at: gate) }
        case .mainActor: Task { @MainActor in await note.text.append("b", then: "c", at: gate) }
        }
      await gate.waitUntilReached()
      let result: Result<Void, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      await gate.open()
      await change.value
      try result.get()
    }
  }

  actor Writer {
    func appendAndSave(_ note: Note, _ magic: MagicData) async throws {
      try await note.text.appendAndSave(magic, note)
    }

    func change(_ note: Note, at gate: Gate) async {
      await note.text.append("b", then: "c", at: gate)
    }
  }

  actor Reader {
    func text(of note: Note) -> String { note.text }
  }
}

/// Suspends a change in its middle.
actor Gate {
  private var isReached = false
  private var isOpen = false
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    isReached = true
    for watcher in watchers { watcher.resume() }
    watchers = []
    guard !isOpen else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func waitUntilReached() async {
    guard !isReached else { return }
    await withCheckedContinuation { watchers.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

extension String {
  fileprivate mutating func append(_ first: String, then second: String, at gate: Gate) async {
    append(first)
    await gate.pass()
    append(second)
  }

  fileprivate mutating func appendAndSave(
    _ magic: MagicData, _ object: some MagicObject
  ) async throws {
    append("b")
    try await magic.update(object)
  }

  fileprivate mutating func appendAndSave(
    _ transaction: borrowing MagicTransaction, _ object: some MagicObject
  ) throws {
    append("b")
    try transaction.update(object)
  }

  fileprivate mutating func appendAndSave(_ store: MagicObjectStore, _ object: some MagicObject)
    throws
  {
    append("b")
    try store.update(object)
  }

  fileprivate mutating func appendAndSaveInTransaction(
    _ magic: MagicData, _ object: some MagicObject
  ) async throws {
    append("b")
    _ = try await magic.transaction { try $0.update(object) }
  }

  fileprivate mutating func change(
    _ body: (borrowing MagicTransaction) throws -> Void,
    with transaction: borrowing MagicTransaction
  ) throws {
    append("b")
    try body(transaction)
  }

  fileprivate mutating func appendAfterSleep(_ text: String) async throws {
    try await Task.sleep(nanoseconds: 60_000_000_000)
    append(text)
  }
}

extension Array {
  fileprivate enum Pause { case yield }

  fileprivate mutating func append(_ element: Element, at gate: Gate) async {
    await gate.pass()
    append(element)
  }

  fileprivate mutating func append(_ element: Element, at pause: Pause) async {
    await Task.yield()
    append(element)
  }

  fileprivate mutating func appendAndSave(
    _ element: Element, _ magic: MagicData, _ object: some MagicObject
  ) async throws {
    append(element)
    try await magic.update(object)
  }
}

extension Optional {
  fileprivate mutating func set(to value: Wrapped) async {
    await Task.yield()
    self = value
  }
}

extension Int {
  fileprivate mutating func set(to value: Int) async {
    await Task.yield()
    self = value
  }
}
