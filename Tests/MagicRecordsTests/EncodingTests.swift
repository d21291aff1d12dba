import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Response: Codable {
  var title: String
  var player: Player
}

private struct Mention: MagicalCodable {
  var player: Player?

  init(_ player: Player) { self.player = player }
  init(from decoder: any Decoder) throws {}
}

private struct Message: MagicObject {
  @MagicValue var mention: Mention
  init() {}
}

/// An object is encoded only inside of a value that a database stores.
@Suite(.everyEngine) struct EncodingTests {
  let scratch = Scratch()

  private func refusal(_ body: () throws -> Data) -> String? {
    do {
      _ = try body()
      return nil
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    } catch {
      return nil
    }
  }

  @Test func encodingAnObjectNamesItsValues() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("Ann")
    for _ in 0..<2 {
      let texts = [
        refusal { try JSONEncoder().encode(ann) },
        refusal { try JSONEncoder().encode([ann]) },
        refusal { try JSONEncoder().encode(Response(title: "a", player: ann)) },
      ]
      for text in texts {
        #expect(text?.contains("Encode its properties, `object.values`") == true)
        #expect(text?.contains("Player") == true)
      }
      #expect(throws: EncodingError.self) { try PropertyListEncoder().encode([ann]) }
      try await magic.update(ann)
    }
  }

  @Test func insideAStoredValueAnObjectIsItsRowID() async throws {
    let ann = Player("Ann")
    let (message, unsaved) = (Mention(ann), Mention(Player("Bob")))
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [Player("First"), ann])
    #expect(String(decoding: try message.storedValue, as: UTF8.self) == #"{"player":2}"#)
    #expect(String(decoding: try unsaved.storedValue, as: UTF8.self) == #"{"player":null}"#)
    #expect(String(decoding: try message.assetData, as: UTF8.self) == #"{"player":2}"#)
    let object = Message()
    object.mention = message
    try await magic.update(object)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(object.values) }
  }

  @Test func decodingAnObjectThrows() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Player].self, from: Data("[1]".utf8))
    }
  }
}
