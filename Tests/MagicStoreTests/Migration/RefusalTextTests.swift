import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// The texts of refused migrations: each change once, and what to do.
@Suite struct RefusalTextTests {
  let scratch = Scratch()

  private enum Old {
    struct Ware: MagicObject {
      @MagicValue var price = 1.5
      @OptionMagicValue var note: String? = "n"
    }
  }

  private enum Whole {
    struct Ware: MagicObject {
      @MagicValue var price = 1
      @OptionMagicValue var note: String?
    }
  }

  private enum Several {
    struct Ware: MagicObject {
      @MagicValue var price = 1
      @MagicValue var note = ""
      @MagicValue var size: Int
    }
  }

  private func refusal<Model: MagicObject>(of type: Model.Type) throws -> MagicError {
    try scratch.using { store in try store.update(Old.Ware()) }
    var refusal: MagicError?
    try scratch.using { store throws in
      refusal = #expect(throws: MagicError.self) { try store.migrate(type) }
    }
    return try #require(refusal)
  }

  private func count(_ part: String, in text: String) -> Int { text.ranges(of: part).count }

  @Test func aRefusedChangeIsNamedOnce() throws {
    let error = try refusal(of: Whole.Ware.self)
    let plan = try #require(error.plan)
    for text in [error.message, plan.description] {
      #expect(count("price becomes integer", in: text) == 1, "\(text)")
    }
    #expect(error.message.contains(".transformValue(name: \"price\")"))
    #expect(plan.refused.first?.refusal?.contains("price becomes integer") == true)
  }

  @Test func eachOfSeveralRefusedChangesIsNamedOnce() throws {
    let error = try refusal(of: Several.Ware.self)
    let plan = try #require(error.plan)
    for text in [error.message, plan.description] {
      for change in ["price becomes integer", "note becomes required", "size is added"] {
        #expect(count(change, in: text) == 1, "\(text)")
      }
    }
    // What is refused is not part of what is done.
    #expect(plan.refused.first?.summary.contains("note becomes required") == true)
    #expect(plan.refused.first?.summary.contains("size") == false)
  }

  @Test func aTableOfAnotherToolIsRefusedWithAPlan() throws {
    let raw = try SQLiteConnection(path: scratch.file())
    try raw.execute("CREATE TABLE Note (id INTEGER PRIMARY KEY, text TEXT)")
    raw.close()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.migrate(Note.self) }
      let plan = try #require(error?.plan)
      #expect(plan.refused.map(\.type) == ["Note"])
      #expect(plan.steps.flatMap(\.sql).isEmpty)
      #expect(error?.message.contains("another tableName") == true)
    }
  }
}
