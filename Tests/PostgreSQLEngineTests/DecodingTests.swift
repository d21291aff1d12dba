import Foundation
import MagicTestSupport
import PostgreSQLChanges
import Testing

/// The messages of logical decoding, and hostile ones.
@Suite struct DecodingTests {
  /// A message, built from integers, texts and bytes.
  private struct Message {
    var bytes: [UInt8] = []

    init(_ kind: Unicode.Scalar) { bytes = [UInt8(ascii: kind)] }

    func integer<Value: FixedWidthInteger>(_ value: Value) -> Message {
      var copy = self
      withUnsafeBytes(of: value.bigEndian) { copy.bytes.append(contentsOf: $0) }
      return copy
    }

    func raw(_ text: String) -> Message {
      var copy = self
      copy.bytes += Array(text.utf8)
      return copy
    }

    func text(_ text: String) -> Message { raw(text + "\0") }

    func value(_ text: String) -> Message { raw("b").integer(Int32(text.utf8.count)).raw(text) }

    func decoded(_ use: (OutputMessage) throws -> Void) throws {
      try bytes.withUnsafeBytes { try use(OutputMessage($0)) }
    }
  }

  private static let relation = Message("R").integer(UInt32(7)).text("shop").text("City").raw("f")
    .integer(UInt16(2)).raw("\u{1}").text("z_index").integer(UInt32(20)).integer(Int32(-1))
    .raw("\u{1}").text("name").integer(UInt32(25)).integer(Int32(-1))

  private static let update = Message("U").integer(UInt32(7)).raw("O").integer(UInt16(2)).value("1")
    .value("old").raw("N").integer(UInt16(2)).value("1").raw("u")

  @Test func aRelationHasItsColumns() throws {
    try Self.relation.decoded { message in
      guard case .relation(let relation) = message else {
        Issue.record("The message was read as another one.")
        return
      }
      #expect(relation.number == 7 && relation.schema == "shop" && relation.name == "City")
      #expect(relation.columns.map(\.name) == ["z_index", "name"])
      #expect(relation.columns.map(\.type) == [20, 25])
    }
  }

  @Test func anUpdateHasBothRows() throws {
    try Self.update.decoded { message in
      guard case .change(7, let old?, let new?) = message else {
        Issue.record("The message was read as another one.")
        return
      }
      #expect(old.isComplete && old.values.count == 2)
      guard case .bytes(let bytes) = old.values[1], case .unchanged = new.values[1] else {
        Issue.record("The message was read as another one.")
        return
      }
      #expect(String(decoding: bytes, as: UTF8.self) == "old")
    }
  }

  @Test func aDeletionByKeyIsNotComplete() throws {
    let message = Message("D").integer(UInt32(7)).raw("K").integer(UInt16(1)).value("1")
    try message.decoded { message in
      guard case .change(7, let old?, nil) = message else {
        Issue.record("The message was read as another one.")
        return
      }
      #expect(!old.isComplete)
    }
  }

  @Test func endsAndNotesAreRead() throws {
    let begin = Message("B").integer(UInt64(1)).integer(UInt64(2)).integer(UInt32(99))
    try begin.decoded { message in
      guard case .begin(99) = message else {
        Issue.record("The message was read as another one.")
        return
      }
    }
    let commit = Message("C").integer(UInt8(0)).integer(UInt64(1)).integer(UInt64(5))
      .integer(UInt64(0))
    try commit.decoded { message in
      guard case .commit(5) = message else {
        Issue.record("The message was read as another one.")
        return
      }
    }
    let truncate = Message("T").integer(Int32(2)).integer(UInt8(1)).integer(UInt32(7))
      .integer(UInt32(8))
    try truncate.decoded { message in
      guard case .truncate([7, 8]) = message else {
        Issue.record("The message was read as another one.")
        return
      }
    }
    let note = Message("M").integer(UInt8(1)).integer(UInt64(1)).text("magic").integer(Int32(2))
      .raw("ab")
    try note.decoded { message in
      guard case .message("magic", let content) = message else {
        Issue.record("The message was read as another one.")
        return
      }
      #expect(Array(content) == Array("ab".utf8))
    }
  }

  @Test func everyPrefixOfAMessageIsRefused() throws {
    for message in [Self.relation, Self.update] {
      for count in 0..<message.bytes.count {
        #expect(throws: MalformedMessage.self) {
          try message.bytes[..<count].withUnsafeBytes { _ = try OutputMessage($0) }
        }
      }
    }
  }

  @Test func numbersThatAreTooLargeAreRefusedWithoutMemory() {
    let messages = [
      Message("T").integer(Int32.max).integer(UInt8(0)),
      Message("T").integer(Int32(-1)).integer(UInt8(0)),
      Message("M").integer(UInt8(0)).integer(UInt64(0)).text("magic").integer(Int32(-5)),
      Message("I").integer(UInt32(1)).raw("N").integer(UInt16.max).raw("b").integer(Int32(-9)),
    ]
    for message in messages {
      #expect(throws: MalformedMessage.self) { try message.decoded { _ in } }
    }
    for count in [Int32.max, -1, 1] {
      #expect(throws: MalformedMessage.self) {
        try withUnsafeBytes(of: count.bigEndian) { _ = try StreamedRow.record($0) }
      }
    }
  }

  /// Changed bytes are refused, or have another meaning; each value is inside of the message.
  @Test func changedMessagesStayInTheirBounds() {
    var random = SeededRandom(143)
    for _ in 0..<20_000 {
      var bytes = Bool.random(using: &random) ? Self.relation.bytes : Self.update.bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default:
          bytes.insert([0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0, at: place)
        }
      }
      bytes.withUnsafeBytes { all in
        guard case .change(_, let old, let new)? = try? OutputMessage(all) else { return }
        for value in (old?.values ?? []) + (new?.values ?? []) {
          guard case .bytes(let part) = value, let start = part.baseAddress,
            let first = all.baseAddress
          else { continue }
          #expect(start >= first && start + part.count <= first + all.count)
        }
      }
    }
  }

  @Test func messagesOfTheStreamAreRead() throws {
    let keepalive = Message("k").integer(UInt64(3)).integer(UInt64(0)).integer(UInt8(1))
    try keepalive.bytes.withUnsafeBytes { bytes in
      guard case .keepalive(3, true) = try StreamMessage(bytes) else {
        Issue.record("The message was read as another one.")
        return
      }
    }
    #expect(throws: MalformedMessage.self) {
      try keepalive.bytes.dropLast().withUnsafeBytes { _ = try StreamMessage($0) }
    }
    #expect(throws: MalformedMessage.self) {
      try [UInt8(ascii: "w"), 1].withUnsafeBytes { _ = try StreamMessage($0) }
    }
  }

  @Test func aSnapshotSeesCommittedTransactions() throws {
    let snapshot = try #require(ServerSnapshot("100:110:100,105"))
    #expect(snapshot.sees(99) && snapshot.sees(101) && snapshot.sees(109))
    #expect(!snapshot.sees(100) && !snapshot.sees(105) && !snapshot.sees(110))
    // The numbers of the stream have 32 bits, and begin again.
    let later = try #require(ServerSnapshot("4294967297:4294967300:"))
    #expect(later.sees(.max) && later.sees(3) && !later.sees(4))
    for text in ["", "1:2", "a:b:c", "1:2:3:4"] { #expect(ServerSnapshot(text) == nil) }
  }
}
