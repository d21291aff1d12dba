import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Scroll: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var text: AsyncMagical<MagicAsset<String>>
  @OptionMagicValue var image: AsyncMagical<MagicAsset<Data>>?
  @MagicValue var lines: Int = 0

  init() {}
  init(_ name: String, _ text: String) {
    self.name = name
    self.text = .init(value: .init(value: text))
  }
}

/// The same table with assets that are not lazy.
private enum EagerAssets {
  struct Scroll: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var text: MagicAsset<String>
    @OptionMagicValue var image: MagicAsset<Data>?
    @MagicValue var lines: Int = 0

    init() { text = .init() }
  }
}

@Suite struct LazyAssetTests {
  private let scratch = Scratch()

  private func open() async throws -> MagicData { try await MagicData(path: scratch.file()) }

  /// Runs the body with a database, and closes it.
  private func withDatabase(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await open()
    do { try await body(magic) } catch {
      await magic.close()
      throw error
    }
    await magic.close()
  }

  private var files: Int { scratch.assetFiles.count }

  @Test func itIsReadBeforeAndAfterTheSave() async throws {
    try await withDatabase { magic in
      let scroll = Scroll("a", "one")
      #expect(try await scroll.text.get().load() == "one")
      try await magic.update(scroll)
      #expect(try await scroll.text.get().load() == "one")
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      let text = try await fetched.text.get()
      #expect(try text.load() == "one")
      #expect(text.path != nil)
      #expect(fetched.image == nil)
    }
  }

  @Test func afterSetAllCopiesHaveTheNewValueAndASaveReplacesTheFile() async throws {
    try await withDatabase { magic in
      try await magic.update(Scroll("a", "one"))
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      let copy = fetched
      let value = fetched.text
      copy.text.set(.init(value: "two"))
      #expect(try await fetched.text.get().load() == "two")
      #expect(try await value.get().load() == "two")
      let other = try await magic.object(of: Scroll.self, primary: "a")
      #expect(try await other.text.get().load() == "one")
      try await magic.update(fetched)
      #expect(try await other.text.get().load() == "two")
      #expect(files == 1)
    }
  }

  @Test func anOptionalOneIsSetAndSetToNil() async throws {
    try await withDatabase { magic in
      let scroll = Scroll("a", "one")
      scroll.image = .init(value: .init(value: Data([1])))
      try await magic.update(scroll)
      #expect(files == 2)
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      #expect(try await fetched.image?.get().load() == Data([1]))
      fetched.image = nil
      try await magic.update(fetched)
      #expect(files == 1)
      #expect(try await magic.object(of: Scroll.self, primary: "a").image == nil)
    }
  }

  @Test func oneInstanceSavesAValueAndThenNil() async throws {
    try await withDatabase { magic in
      let scroll = Scroll("a", "one")
      try await magic.update(scroll)
      scroll.image = .init(value: .init(value: Data([1])))
      try await magic.update(scroll)
      scroll.image = nil
      try await magic.update(scroll)
      #expect(files == 1)
      #expect(try await magic.object(of: Scroll.self, primary: "a").image == nil)
      scroll.image = .init(value: .init(value: Data([2])))
      try await magic.update(scroll)
      #expect(files == 2)
    }
  }

  @Test func otherChangesOfTheOwnerDoNotWriteIt() async throws {
    try await withDatabase { magic in
      try await magic.update(Scroll("a", "one"))
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      let path = try await fetched.text.get().path
      fetched.lines = 7
      try await magic.update(fetched)
      #expect(try await fetched.text.get().path == path)
    }
  }

  @Test func aDeletedRowIsNotFound() async throws {
    try await withDatabase { magic in
      try await magic.update(Scroll("a", "one"))
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      try await magic.removeAll(of: Scroll.self)
      let error = await #expect(throws: MagicError.self) { _ = try await fetched.text.get() }
      #expect(error?.code == .notFound)
    }
  }

  @Test func oneThatWasNeverSetIsMissing() async throws {
    try await withDatabase { magic in
      let scroll = Scroll()
      scroll.name = "a"
      let error = await #expect(throws: MagicError.self) { _ = try await magic.update(scroll) }
      #expect(error?.code == .missingValue)
      #expect(error?.property == "text")
      #expect(files == 0)
    }
  }

  @Test func aSaveThatIsRolledBackKeepsTheValueInMemory() async throws {
    struct Stop: Error {}
    try await withDatabase { magic in
      let scroll = Scroll("a", "one")
      try await magic.update(scroll)
      scroll.text.set(.init(value: "two"))
      await #expect(throws: Stop.self) {
        try await magic.transaction { transaction in
          try transaction.update(scroll)
          throw Stop()
        }
      }
      #expect(try await scroll.text.get().load() == "two")
      #expect(files == 1)
      try await magic.update(scroll)
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      #expect(try await fetched.text.get().load() == "two")
    }
  }

  @Test func aTransactionReadsWhatItHasSaved() async throws {
    try await withDatabase { magic in
      let scroll = Scroll("a", "one")
      try await magic.update(scroll)
      try await magic.transaction { transaction in
        scroll.text.set(.init(value: "two"))
        try transaction.update(scroll)
        _ = try scroll.text.get(in: transaction)
      }
      #expect(try await scroll.text.get().load() == "two")
    }
  }

  @Test func anObjectIsSavedToAnotherDatabaseWithItsFile() async throws {
    let other = try await MagicData(type: .temporary)
    try await withDatabase { magic in
      try await magic.update(Scroll("a", "one"))
      let fetched = try await magic.object(of: Scroll.self, primary: "a")
      try await other.update(fetched)
      try await magic.removeAll(of: Scroll.self)
      let copy = try await other.object(of: Scroll.self, primary: "a")
      #expect(try await copy.text.get().load() == "one")
      #expect(try await fetched.text.get().load() == "one")
    }
    await other.close()
  }

  @Test func oneTableIsUsedWithBothKinds() async throws {
    let magic = try await open()
    try await magic.update(Scroll("a", "one"))
    await magic.close()
    let again = try await open()
    let eager = try await again.object(of: EagerAssets.Scroll.self, primary: "a")
    #expect(try eager.text.load() == "one")
    await again.close()
  }
}
