import Foundation
import MagicSchema
import Testing

private struct Primary: MagicObject {
  @PrimaryMagicValue(.compared(.caseInsensitive)) var name: String
  init() {}
}

private struct Key: MagicObject {
  static var key: MagicKey<Key> { MagicKey(\.$name, \.$year) }
  @MagicValue(.compared(.caseInsensitive)) var name: String = ""
  @MagicValue var year = 0
}

private struct LocalizedKey: MagicObject {
  static var key: MagicKey<LocalizedKey> { MagicKey(\.$name, \.$year) }
  @MagicValue(.compared(.localized("de"))) var name: String = ""
  @MagicValue var year = 0
}

private struct Number: MagicObject {
  @MagicValue(.compared(.caseInsensitive)) var count = 0
}

private struct Identifier: MagicObject {
  @MagicValue(.compared(.caseInsensitive)) var id = UUID()
}

private struct Members: MagicObject {
  @MagicValue(.compared(.caseInsensitive)) var texts: [String] = []
}

private struct Twice: MagicObject {
  @MagicValue(.compared(.caseInsensitive), .compared(.localized("de"))) var name: String = ""
}

private struct Current: MagicObject {
  @MagicValue(.compared(.localized)) var name: String = ""
}

private struct Misspelt: MagicObject {
  @MagicValue(.compared(.localized("de\""))) var name: String = ""
}

/// The rules that a collation of a property must satisfy.
@Suite struct CollationRuleTests {
  private func refusal(of type: (some MagicObject).Type) throws -> String {
    let error = try #require(throws: MagicError.self) { try ObjectSchema.of(type) }
    #expect(error.code == .invalidSchema)
    #expect(error.property != nil)
    return error.message
  }

  @Test func anIdentityIsAnExactValue() throws {
    #expect(try refusal(of: Primary.self).contains("exact value"))
    #expect(try refusal(of: Key.self).contains("exact value"))
    #expect(try refusal(of: LocalizedKey.self).contains("exact value"))
  }

  @Test func onlyAStringHasACollation() throws {
    for refusal in try [
      refusal(of: Number.self), refusal(of: Identifier.self), refusal(of: Members.self),
    ] {
      #expect(refusal.contains("Only a property of type String"))
    }
  }

  @Test func aColumnHasOneCollationThatNamesItsLocale() throws {
    #expect(try refusal(of: Twice.self).contains("more than one collation"))
    #expect(try refusal(of: Current.self).contains("Name a locale"))
    #expect(try refusal(of: Misspelt.self).contains("identifier of the locale is not valid"))
  }

  @Test func onlyACollationChangesTheFingerprint() throws {
    enum Plain {
      struct Label: MagicObject { @MagicValue var name: String = "" }
    }
    enum German {
      struct Label: MagicObject { @MagicValue(.compared(.localized("de"))) var name: String = "" }
    }
    enum Swedish {
      struct Label: MagicObject { @MagicValue(.compared(.localized("sv"))) var name: String = "" }
    }
    let fingerprints = try [
      ObjectSchema.of(Plain.Label.self), ObjectSchema.of(German.Label.self),
      ObjectSchema.of(Swedish.Label.self),
    ].map(\.fingerprint)
    #expect(Set(fingerprints).count == 3)
  }
}
