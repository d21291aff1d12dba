import Foundation
import Magical
import Testing

@testable import MagicSchema

private enum Colour: String, Magical, CaseIterable { case red, green, empty = "", long = "grün \0" }
private enum Level: Int, Magical, CaseIterable { case low = -1, high = 7 }
private enum Plain: Int, Magical { case one }
private enum Single: Int, Magical, CaseIterable { case only = 5 }

/// Reads all texts as upper case, and refuses one of its cases.
private enum Spelling: String, Magical, CaseIterable {
  case A, B, C

  var storedValue: String { rawValue.lowercased() }

  init(storedValue: String) throws {
    guard let value = Spelling(rawValue: storedValue.uppercased()), value != .C else {
      throw MagicalError.cannotDecode("no spelling")
    }
    self = value
  }
}

private struct Number: RawRepresentable, Magical, CaseIterable {
  static let allCases = (0..<40).map { Number(rawValue: "\($0)") }
  let rawValue: String
}

@Suite struct EnumerationCasesTests {
  private func value<Value: Magical>(_ text: String, _ type: Value.Type) -> Value? {
    var text = text
    guard let cases = EnumerationCases(type) else { return nil }
    return text.withUTF8 { cases.bits(text: UnsafeRawBufferPointer($0)) }.map(value)
  }

  private func value<Value>(_ bits: UInt64) -> Value {
    withUnsafeBytes(of: bits) { $0.assumingMemoryBound(to: Value.self)[0] }
  }

  @Test func eachTextHasTheBitsOfItsCase() {
    for colour in Colour.allCases { #expect(value(colour.rawValue, Colour.self) == colour) }
    for text in ["Red", "re", "redd", "grün", " "] { #expect(value(text, Colour.self) == nil) }
  }

  @Test func eachIntegerHasTheBitsOfItsCase() throws {
    let cases = try #require(EnumerationCases(Level.self))
    for level in Level.allCases {
      let bits = try #require(cases.bits(integer: Int64(level.rawValue)))
      #expect(value(bits) as Level == level)
    }
    #expect(cases.bits(integer: 0) == nil)
    #expect(EnumerationCases(Single.self)?.bits(integer: 5) == 0)
  }

  @Test func aConversionOfTheTypesOwnIsUsed() {
    #expect(value("a", Spelling.self) == .A)
    #expect(value("b", Spelling.self) == .B)
    // The packer converts these texts, or throws the error of the type.
    #expect(value("A", Spelling.self) == nil)
    #expect(value("c", Spelling.self) == nil)
  }

  @Test func otherTypesHaveNoCases() {
    #expect(EnumerationCases(Plain.self) == nil)
    #expect(EnumerationCases(Number.self) == nil)
    #expect(EnumerationCases(Int.self) == nil)
    #expect(EnumerationCases(URL.self) == nil)
  }
}
