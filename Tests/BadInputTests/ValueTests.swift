import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Texts, data and numbers that SQLite and Swift treat differently or cannot represent.
@Suite struct ValueTests {
  let scratch = Scratch()

  @Test func aTextWithNULIsStoredFoundAndComparedCompletely() async throws {
    try await scratch.using { magic async throws in
      let texts = ["a", "a\0", "a\0b", "\0", ""]
      try await magic.update(contentsOf: texts.map { Person(id: $0, name: $0) })
      #expect(try await magic.object(of: Person.self).map(\.name) == texts)
      for text in texts {
        #expect(try await magic.object(of: Person.self, primary: text).name == text)
        let found = try await magic.query(Person.self).where(\.$name == text).all()
        #expect(found.map(\.id) == [text])
        #expect(
          try await magic.sql("SELECT name FROM Person WHERE id = \(text)").rows(String.self)
            == [text])
      }
    }
  }

  @Test func aNULInSQLIsRefusedInsteadOfEndingTheStatement() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      for sql in ["SELECT 1\0", "DELETE FROM Note\0 WHERE text = 'b'"] {
        await expect(.invalidQuery) { try await magic.sql("\(raw: sql)").run() }
        await expect(.invalidQuery) { _ = try await magic.sql("\(raw: sql)").rows(Int.self) }
      }
      #expect(try await magic.texts() == ["a"])
    }
  }

  @Test func aTextThatIsNotUTF8IsKeptWhenOtherValuesAreSaved() async throws {
    try await scratch.using { magic async throws in
      let (a, b) = (Person(id: "a", name: "x"), Person(id: "b", name: "y"))
      try await magic.update(contentsOf: [a, b])
      try scratch.raw().execute("UPDATE Person SET name = CAST(X'61FF62' AS TEXT) WHERE id = 'a'")
      let error = await expect(.cannotDecode) {
        _ = try await magic.object(of: Person.self) as [Person]
      }
      #expect(error?.property == "name")
      #expect(error?.message.contains("row 1") == true)
      #expect(try await magic.object(of: Person.self, primary: "b").name == "y")
      // Saving another row or another column of the same row does not change the text.
      (a.age, b.age) = (7, 8)
      try await magic.update(contentsOf: [a, b])
      #expect(
        try scratch.raw().text("SELECT hex(name) || age FROM Person WHERE id = 'a'") == "61FF627")
    }
  }

  @Test func textsThatSwiftComparesAsEqualAreDifferentInTheDatabase() async throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(composed == decomposed)
    try await scratch.using { magic async throws in
      try await magic.update(Person(id: composed, name: "1"))
      try await magic.update(Person(id: decomposed, name: "2"))
      try await magic.update(Ticket("1", seat: composed))
      try await magic.update(Ticket("2", seat: decomposed))
      #expect(try await magic.object(of: Person.self).map(\.name) == ["1", "2"])
      #expect(try await magic.object(of: Person.self, primary: composed).name == "1")
      #expect(try await magic.object(of: Person.self, primary: decomposed).name == "2")
      let stored = try await magic.object(of: Person.self).map { Array($0.id.utf8) }
      #expect(stored == [Array(composed.utf8), Array(decomposed.utf8)])
      await expect(.notUnique) { try await magic.update(Ticket("3", seat: composed)) }
    }
  }

  @Test func emptyDataIsNotNil() async throws {
    struct Parcel: MagicObject {
      @MagicValue var content: Data = Data()
      @OptionMagicValue var label: Data?
    }
    try await scratch.using { magic async throws in
      let (empty, none) = (Parcel(), Parcel())
      empty.label = Data()
      try await magic.update(contentsOf: [empty, none])
      #expect(try await magic.object(of: Parcel.self).map(\.label) == [Data(), nil])
      #expect(try await magic.query(Parcel.self).where(\.$label == nil).count() == 1)
    }
  }

  @Test(arguments: [Double.nan, .signalingNaN, -.nan])
  func nanIsRefusedByEveryWrite(number: Double) async throws {
    struct Reading: MagicObject {
      @MagicValue var value: Double = 1
      @OptionMagicValue var error: Double?
      @MagicValue var series: [Double] = []
    }
    try await scratch.using { magic async throws in
      let kept = Reading()
      try await magic.update(kept)
      for set in [
        { $0.value = number }, { $0.error = number }, { $0.series = [1, number] },
      ] as [(Reading) -> Void] {
        let reading = Reading()
        set(reading)
        await expect(.cannotEncode) { try await magic.update(reading) }
        #expect(reading.zIndex == nil)
        set(kept)
        await expect(.cannotEncode) { try await magic.update(kept) }
      }
      await expect(.cannotEncode) {
        try await magic.query(Reading.self).update(set: \.$value, to: number)
      }
      let stored = try await magic.object(of: Reading.self)
      #expect(stored.map(\.value) == [1])
      #expect(stored.map(\.error) == [nil])
      (kept.value, kept.error, kept.series) = (.infinity, -0.0, [])
      try await magic.update(kept)
      let again = try await magic.object(of: Reading.self)
      #expect(again.map(\.value) == [.infinity])
      #expect(again.first?.error?.sign == .minus)
    }
  }

  @Test(arguments: ["'abc'", "1.5", "9e18 * 9e18", "X'00'", "'9223372036854775808'"])
  func aValueThatIsNotAnIntegerIsNotReadAsAnInteger(stored: String) async throws {
    try await scratch.using { magic async throws in
      try await magic.update(contentsOf: [Person(id: "a", name: "x"), Person(id: "b", name: "y")])
      try scratch.raw().execute("UPDATE Person SET age = \(stored) WHERE id = 'a'")
      let error = await expect(.cannotDecode) {
        _ = try await magic.object(of: Person.self, primary: "a")
      }
      #expect(error?.type == "Person")
      #expect(error?.property == "age")
      #expect(error?.message.contains("row 1") == true)
      #expect(try await magic.object(of: Person.self, primary: "b").age == 3)
      // Saving another property does not change it.
      #expect(
        try await magic.query(Person.self).where(\.$id == "a").update(set: \.$name, to: "z") == 1)
      #expect(
        try scratch.raw().integer("SELECT age = \(stored) FROM Person WHERE id = 'a'") == 1)
    }
  }

  @Test func aSumBeyondItsTypeCannotBeEncoded() async throws {
    try await scratch.using { magic async throws in
      let people = (0..<3).map { Person(id: "\($0)", name: "\($0)") }
      for person in people { person.age = .max }
      try await magic.update(contentsOf: people)
      await expect(.cannotEncode) { _ = try await magic.query(Person.self).sum(\.$age) }
      await expect(.cannotEncode) {
        try await magic.query(Person.self).update(set: \.$age += 1)
      }
      #expect(try await magic.query(Person.self).max(\.$age) == .max)
      #expect(try await magic.object(of: Person.self).map(\.age) == [.max, .max, .max])
    }
  }

  @Test func theLastPrimaryIsAssignedAndTheNextInsertThrowsIDsExhausted() async throws {
    try await scratch.using { magic async throws in
      let last = Ticket("last")
      last.number = .max - 1
      try await magic.update(last)
      try await magic.update(Ticket("the very last"))
      let (ticket, note) = (Ticket("none"), Note("a"))
      let error = await expect(.idsExhausted) { try await magic.update(ticket) }
      #expect(error?.type == "Ticket")
      #expect(ticket.zIndex == nil && ticket.number == 0)
      try await magic.update(note)
      try scratch.raw().execute("INSERT INTO Note VALUES (9223372036854775807, 'b', NULL)")
      await expect(.idsExhausted) { try await magic.update(Note("c")) }
      #expect(try await magic.texts() == ["a", "b"])
      #expect(try await magic.object(of: Ticket.self).map(\.number) == [.max - 1, .max])
      // Existing objects can be changed.
      note.text = "changed"
      try await magic.update(note)
      #expect(try await magic.texts() == ["changed", "b"])
    }
  }
}
