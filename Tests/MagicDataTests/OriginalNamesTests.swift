import EngineConformance
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// The names of the original MagicData that still compile.
@Suite struct OriginalNamesTests {
  private protocol Program {
    static func run() async throws
  }

  /// A witness of a protocol, so that its call is not reported as deprecated.
  private struct OriginalProgram: Program {
    @available(*, deprecated)
    static func run() async throws {
      let kind: MagicData.CreateType = .memory
      let magic = try await MagicData(type: kind)
      let note = Note("a")
      let error = await #expect(throws: MagicError.self) {
        try await magic.getZIndexOfObject(note)
      }
      #expect(error?.code == .notSaved)
      try await magic.update(note)
      #expect(try await magic.getZIndexOfObject(note) == 1)
      #expect(try await magic.check(of: Note.self) == false)
      #expect(Person(id: "1", name: "x").hasPrimaryValue)
      #expect(!Note("a").hasPrimaryValue)
      await magic.close()
    }
  }

  @Test func anOriginalProgramRuns() async throws {
    let program: any Program.Type = OriginalProgram.self
    try await program.run()
  }

  enum Changed {
    struct Note: MagicObject { @OptionMagicValue var text: String? }
  }

  private struct ChangedProgram: Program {
    @available(*, deprecated)
    static func run() async throws {
      let scratch = Scratch()
      let old = try await MagicData(path: scratch.file())
      try await old.update(Note("a"))
      await old.close()
      let magic = try await MagicData(path: scratch.file())
      #expect(try await magic.check(of: Changed.Note.self))
      await magic.close()
    }
  }

  @Test func aChangedTypeMustBeMigrated() async throws {
    let program: any Program.Type = ChangedProgram.self
    try await program.run()
  }
}
