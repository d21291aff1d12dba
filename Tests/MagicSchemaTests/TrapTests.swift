import MagicSchema
import Magical
import Testing

private let lineOfSubject = #line + 2
private struct Letter: MagicObject {
  @MagicValue var subject: String
  @MagicValue(.indexed) var sender: String
  @MagicValue var list: [Int]
  init() {}
}

struct UnusedType: MagicObject {
  @MagicValue var subject: String
  init() {}
}

private struct Code: MagicalPrimaryValue {
  var storedValue: String
  init(storedValue: String) { self.storedValue = storedValue }
}

private struct Coded: MagicObject {
  @PrimaryMagicValue var code: Code
  init() {}
}

private struct Wrapped<Value: Magical & Sendable & Codable>: MagicObject {
  @MagicValue var value: Value
  init() {}
}

private class Base: @unchecked Sendable {
  @MagicValue var title: String
  init() {}
}

private final class Derived: Base, MagicObject, @unchecked Sendable {
  @MagicValue var page: Int
  override init() { super.init() }
}

/// The output of the process before it ended.
private func text(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

@Suite struct TrapTests {
  @Test func readingAnUnsetPropertyNamesTypeAndPropertyBeforeTheTypeWasUsed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UnusedType().subject
    }
    #expect(text(result).contains("UnusedType.subject was read before it was set."))
  }

  @Test func readingAnUnsetPropertyOfAPrivateTypeNamesTypeAndLine() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Letter().subject
    }
    #expect(
      text(result).contains(
        "The property of Letter that is declared at MagicSchemaTests/TrapTests.swift:"
          + "\(lineOfSubject) was read"))
    #expect(text(result).contains("Give it a default"))
  }

  @Test func afterTheFirstUseOfTheTypeThePropertyIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ObjectSchema.of(Letter.self)
      _ = Letter().sender
    }
    #expect(text(result).contains("Letter.sender was read before it was set."))
  }

  @Test func changingAnUnsetPropertyInPlaceNamesIt() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ObjectSchema.of(Letter.self)
      Letter().list.append(1)
    }
    #expect(text(result).contains("Letter.list was read before it was set."))
  }

  @Test func aPrimaryWithoutDefaultIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ObjectSchema.of(Coded.self)
      _ = Coded().code
    }
    #expect(text(result).contains("Coded.code was read before it was set."))
  }

  @Test func aPropertyOfAGenericTypeIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ObjectSchema.of(Wrapped<Int>.self)
      _ = Wrapped<Int>().value
    }
    #expect(text(result).contains("Wrapped.value was read before it was set."))
  }

  @Test func anInheritedPropertyIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ObjectSchema.of(Derived.self)
      _ = Derived().title
    }
    #expect(text(result).contains("Base.title was read before it was set."))
  }

  @Test func aPropertyOfATypeInsideAFunctionIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Local: MagicObject {
        @MagicValue var depth: Int
        init() {}
      }
      _ = try ObjectSchema.of(Local.self)
      _ = Local().depth
    }
    #expect(text(result).contains("Local.depth was read before it was set."))
  }

  #if os(Linux)
    @Test func usingAPropertyInsideItsOwnInPlaceChangeIsExplained() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        func change(_ list: inout [Int], _ body: () -> Void) { body() }
        let letter = Letter()
        letter.list = []
        change(&letter.list) { _ = letter.list.count }
      }
      #expect(
        text(result).contains("MagicData: a property was used inside its own in-place change."))
    }

    @Test func settingAPropertyInsideItsOwnInPlaceChangeIsExplained() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        func change(_ list: inout [Int], _ body: () -> Void) { body() }
        let letter = Letter()
        letter.list = []
        change(&letter.list) { letter.list = [1] }
      }
      #expect(text(result).contains("Copy the value first"))
    }
  #endif
}
