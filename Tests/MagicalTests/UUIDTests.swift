import Foundation
import Magical
import Testing

@Suite struct UUIDTests {
  private let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  @Test func aUUIDIsStoredAsUpperCaseText() throws {
    let uuid = try #require(UUID(uuidString: text.lowercased()))
    #expect(try StoredCell(storing: uuid) == .text(text))
  }

  @Test func aUUIDIsReadInAnyCase() throws {
    let uuid = try #require(UUID(uuidString: text))
    for spelling in [text, text.lowercased(), "e621E1f8-c36c-495a-93FC-0C247a3e6e5f"] {
      #expect(try StoredCell.text(spelling).load(UUID.self) == uuid)
    }
  }

  @Test func randomUUIDsAreReadUnchanged() throws {
    for _ in 0..<200 {
      let uuid = UUID()
      #expect(try roundTrip(uuid) == uuid)
      #expect(uuid.withText { String(decoding: $0, as: UTF8.self) } == uuid.uuidString)
    }
  }

  @Test func theFirstAndLastUUIDAreReadUnchanged() throws {
    for text in ["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"] {
      let uuid = try #require(UUID(uuidString: text))
      #expect(try StoredCell(storing: uuid) == .text(text))
      #expect(try roundTrip(uuid) == uuid)
    }
  }

  @Test(arguments: [
    "", "E621E1F8", "E621E1F8C36C495A93FC0C247A3E6E5F", "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F0",
    "G621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621E1F8-C36C-495A-93FC_0C247A3E6E5F",
    "E621E1F-8C36C-495A-93FC-0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E5\u{0}",
    " 621E1F8-C36C-495A-93FC-0C247A3E6E5F",
  ])
  func malformedTextIsRefused(_ text: String) {
    #expect(throws: MagicalError.cannotDecode("the text is not a UUID")) {
      try StoredCell.text(text).load(UUID.self)
    }
  }
}
