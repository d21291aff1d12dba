import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import Testing

/// Each mistake in a text is an error with the position of the mistake.
@Suite struct MistakeTests {
  @Test func mistakesOfTheGrammar() {
    expectRefused("", at: 0, "empty")
    expectRefused("  ", at: 0, "empty")
    expectRefused("plays", at: 0, "not a condition", property: "plays")
    expectRefused("plays >", at: 7, "operand is missing")
    expectRefused("> 3", at: 0, "operand is missing")
    expectRefused("plays > 3 title", at: 10, "operator is missing")
    expectRefused("plays > 3)", at: 9, "operator is missing")
    expectRefused("(plays > 3", at: 10, ") is missing")
    expectRefused("plays > 3 AND", at: 13, "operand is missing")
    expectRefused("AND plays > 3", at: 0, "operand is missing")
    expectRefused("plays > 3 AND OR isLive", at: 14, "operand is missing")
    expectRefused("title == \"Alpha", at: 9, "has no end")
    expectRefused("title == 'a\\'", at: 9, "has no end")
    expectRefused(#"title == "\q""#, at: 10, "escape sequence")
    expectRefused("plays ~ 3", at: 6, "unexpected character")
    expectRefused("plays & 3", at: 6, "unexpected character")
    expectRefused("plays == 3; DROP TABLE Song", at: 10, "unexpected character")
    expectRefused("plays IN 3", at: 9, "not a list")
    expectRefused("plays IN {1, 2", at: 14, "} is missing")
    expectRefused("plays == {1}", at: 9, "list is possible only")
    expectRefused("plays BETWEEN {1}", at: 14, "two values")
    expectRefused("plays BETWEEN {1, 2, 3}", at: 14, "two values")
    expectRefused("plays IN {rating}", at: 10, "constants")
    expectRefused("writer. == 3", at: 8, "name of a property is missing")
    expectRefused("remixes.@sum > 3", at: 8, "@count")
    expectRefused("sum(plays) > 3", at: 0, "no such function")
    expectRefused("CAST('x', 'NSDate') == released", at: 5, "number of seconds")
    // The position counts characters, not bytes.
    expectRefused("title == \"é😀\" AND", at: 17, "operand is missing")
  }

  @Test func whatTheDatabaseCannotDo() {
    expectRefused("title MATCHES 'A.*'", at: 6, "no regular expressions")
    expectRefused("title CONTAINS[cd] 'a'", at: 15, "diacritics")
    expectRefused("title CONTAINS[d] 'a'", at: 15, "diacritics")
    expectRefused("title CONTAINS[x] 'a'", at: 15, "option is unknown")
    expectRefused("plays ==[c] 3", at: 0, "Only texts", property: "plays")
    expectRefused("SELF == 3", at: 0, "SELF")
    expectRefused("title LIKE 'a\\\\'", at: 11, "backslash")
    expectRefused("title BEGINSWITH subtitle", at: 17, "only a text is possible", property: "title")
  }

  @Test func mistakesInNames() {
    expectRefused("titel == 'a'", at: 0, "Did you mean title?", property: "title")
    expectRefused("writer.nam == 'a'", at: 7, "Did you mean name?", property: "name")
    expectRefused("Plays > 3", at: 0, "Did you mean plays?", property: "plays")
    expectRefused("xyzzyquux > 3", at: 0, "The type Song has no property with this name.")
    expectRefused("plays.title == 'a'", at: 6, "not a relationship", property: "plays")
    expectRefused("remixes.plays > 3", at: 8, "ANY")
    expectRefused("remixes > 3", at: 0, "collection", property: "remixes")
    expectRefused("remixes == nil", at: 0, "collection", property: "remixes")
    expectRefused("writer.@count > 3", at: 0, "Only a collection")
    expectRefused("ANY plays > 3", at: 4, "through a collection", property: "plays")
    expectRefused("ALL remixes == 3", at: 4, "only with ANY", property: "remixes")
    expectRefused("ANY remixes != 3", at: 4, "only with ANY", property: "remixes")
    expectRefused("ANY remixes == 3", at: 15, "type Song", property: "remixes")
    expectRefused("remixes == $0", 3, at: 0, "collection", property: "remixes")
    expectRefused("z_index == 3", at: 0, "no property")
  }

  @Test func mistakesInTypes() {
    expectRefused("plays > 'a'", at: 8, "type Int", property: "plays")
    expectRefused("title == 3", at: 9, "type String", property: "title")
    expectRefused("3 == title", at: 0, "type String", property: "title")
    expectRefused("title == plays", at: 9, "different types", property: "title")
    expectRefused("isLive == 2", at: 10, "type Bool", property: "isLive")
    expectRefused("plays == TRUE", at: 9, "type Int", property: "plays")
    expectRefused("title + 1 == 3", at: 0, "not a number", property: "title")
    expectRefused("plays CONTAINS 'a'", at: 6, "needs a text", property: "plays")
    expectRefused("plays == $0", "a", at: 9, "type Int", property: "plays")
    expectRefused("plays == $0", { 3 }, at: 9, "type Int", property: "plays")
    expectRefused("NOT plays", at: 4, "not a condition", property: "plays")
    expectRefused("plays AND isLive", at: 0, "not a condition", property: "plays")
    expectRefused("1 < 2 < 3", at: 8, "type Bool")
    expectRefused("data > $0", Data(), at: 5, "no order", property: "data")
    expectRefused("title IN {1}", at: 10, "type String", property: "title")
    expectRefused("title IN {nil}", at: 10, "nil is not possible", property: "title")
  }

  @Test func mistakesInArguments() {
    expectRefused("plays == %@", at: 9, "no argument")
    expectRefused("plays == $1", 3, at: 9, "There are 1")
    expectRefused("plays == $x", at: 9, "no argument with this name")
    expectRefused("plays == 3", 3, at: 0, "uses 0 of 1 arguments")
    expectRefused("plays == %@", 3, 4, at: 0, "uses 1 of 2 arguments")
    expectRefused("%K == 3", 4, at: 0, "not a text")
    expectRefused("%K == 3", "plays; DROP", at: 0, "not a path")
    expectRefused("%K == 3", "writer..name", at: 0, "not a path")
    expectRefused("plays == %d", "3", at: 9, "another type")
    expectRefused("plays == %", at: 9, "After %")
    expectRefused("plays == $99999999999", at: 9, "too large")
  }

  @Test func aNamedArgumentThatIsNotUsedIsAMistake() throws {
    let error = #expect(throws: MagicError.self) {
      try MagicPredicate<Song>(text: "plays > $x", named: ["x": 1, "y": 2])
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.message.contains("does not use the named argument y") == true)
    #expect(throws: Never.self) {
      try MagicPredicate<Song>(text: "plays > $x AND level < $x", named: ["x": 1])
    }
  }

  @Test func onlyTextsAndCollectionsCanBeEmpty() {
    expectRefused("plays.isEmpty", at: 0, "Only texts and collections", property: "plays")
    expectRefused("data.isEmpty", at: 0, "Only texts and collections", property: "data")
    expectRefused("writer.isEmpty", at: 7, "no property with this name")
    expectRefused("isEmpty", at: 0, "no property with this name")
    expectRefused("title.isEmpty.x == 3", at: 6, "not a relationship", property: "title")
  }

  @Test func lengthAndDepthAreLimited() {
    let long = String(repeating: "plays > 3 OR ", count: 6_000) + "isLive"
    expectRefused(long, at: 0, "too long")
    let deep = String(repeating: "(", count: 1_000) + "isLive"
    expectRefused(deep, at: 128, "nested too deeply")
    expectRefused(
      String(repeating: "NOT ", count: 500) + "isLive", at: 512, "nested too deeply")
    expectRefused(
      String(repeating: "1+", count: 500) + "1 > 2", at: 0, "nested too deeply")
    let wide = Array(repeating: "plays > 3", count: 4_000).joined(separator: " OR ")
    #expect(throws: Never.self) { try MagicPredicate<Song>(text: wide) }
    let many = "plays IN {" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "}"
    #expect(throws: Never.self) { try MagicPredicate<Song>(text: many) }
  }

  @Test func errorsContainNoValues() {
    for text in [
      "plays == 'secret'", "secret == 3", "title == 'x' secret", "title LIKE[secret] 'x'",
    ] {
      #expect(throws: MagicError.self) { try MagicPredicate<Song>(text: text) }
      do { _ = try MagicPredicate<Song>(text: text) } catch {
        #expect(!"\(error)".contains("secret"), "\(error)")
      }
    }
  }
}
