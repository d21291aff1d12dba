import EngineConformance
import Foundation
import MagicAssets
import MagicTestSupport
import Testing

/// One property of each kind of element.
private struct Elements: MagicObject {
  @MagicValue var text: MagicAsset<String> = .init(value: "Ünï\0code")
  @MagicValue var data: MagicAsset<Data> = .init(value: Data())
  @MagicValue var bytes: MagicAsset<[UInt8]> = .init(value: [0, 255])
  @MagicValue var codable: MagicAsset<Label> = .init(value: Label(text: "a", size: 1))
  @MagicValue var array: MagicAsset<[Int]> = .init(value: [3, 1, 2])
  @MagicValue var set: MagicAsset<Set<String>> = .init(value: ["b", "a"])
  @MagicValue var dictionary: MagicAsset<[String: [Int]]> = .init(value: ["x": [1]])
  @MagicValue var own: MagicAsset<Reversed> = .init(value: Reversed(text: "abc"))

  init() {}
}

/// A type with its own file content.
private struct Reversed: MagicAssetConvert, Equatable {
  var text: String

  init(text: String) { self.text = text }
  var assetData: Data { get throws { Data(text.reversed().map(String.init).joined().utf8) } }
  init(assetData: Data) throws {
    text = String(String(decoding: assetData, as: UTF8.self).reversed())
  }
}

/// A type whose values cannot be stored, or cannot be read.
private struct Fragile: MagicAssetConvert {
  struct Refusal: Error {}
  var fails: Bool

  init(fails: Bool) { self.fails = fails }
  var assetData: Data {
    get throws {
      if fails { throw Refusal() }
      return Data("secret".utf8)
    }
  }
  init(assetData: Data) throws { throw Refusal() }
}

private struct FragileOwner: MagicObject {
  @MagicValue var value: MagicAsset<Fragile>
  @MagicValue var note: String = ""

  init() { value = .init() }
  init(_ value: Fragile) { self.value = .init(value: value) }
}

@Suite(.everyEngine, .requires(.assets)) struct AssetElementTests {
  let scratch = Scratch()

  @Test func everyKindOfElementIsReadExactly() throws {
    try scratch.using { try $0.update(Elements()) }
    try scratch.using { store in
      let found = try #require(try store.object(of: Elements.self).first)
      #expect(try found.text.load() == "Ünï\0code")
      #expect(try found.data.load() == Data())
      #expect(try found.bytes.load() == [0, 255])
      #expect(try found.codable.load() == Label(text: "a", size: 1))
      #expect(try found.array.load() == [3, 1, 2])
      #expect(try found.set.load() == ["b", "a"])
      #expect(try found.dictionary.load() == ["x": [1]])
      #expect(try found.own.load() == Reversed(text: "abc"))
    }
  }

  @Test(.requires(.files)) func textsAreStoredUnchangedAndCodableValuesAsJSON() throws {
    try scratch.using { store in
      let elements = Elements()
      try store.update(elements)
      #expect(try Data(contentsOf: #require(elements.text.path)) == Data("Ünï\0code".utf8))
      #expect(try Data(contentsOf: #require(elements.set.path)) == Data(#"["a","b"]"#.utf8))
      #expect(try Data(contentsOf: #require(elements.bytes.path)) == Data([0, 255]))
    }
  }

  @Test func theErrorOfAValueThatCannotBeStoredNamesTypeAndProperty() throws {
    try scratch.using { store in
      let error = #expect(throws: MagicError.self) {
        _ = try store.update(FragileOwner(Fragile(fails: true)))
      }
      #expect(error?.code == .cannotEncode)
      #expect(error?.type == "FragileOwner")
      #expect(error?.property == "value")
    }
    scratch.expectAssets(0)
  }

  @Test func aContentThatCannotBeDecodedIsAnErrorAndTheRestOfTheObjectIsFetched() throws {
    try scratch.using { store in
      try store.update(FragileOwner(Fragile(fails: false)))
      let found = try #require(try store.object(of: FragileOwner.self).first)
      #expect(found.value.value == nil)
      let error = #expect(throws: MagicError.self) { _ = try found.value.load() }
      #expect(error?.code == .cannotDecode)
      #expect(error?.type == "FragileOwner")
      #expect(error?.property == "value")
      #expect(error?.description.contains("secret") == false)
      found.note = "changed"
      try store.update(found)
      scratch.expectAssets(1)
    }
  }
}
