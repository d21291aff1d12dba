import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct BinaryDevice: MagicObject {
  @PrimaryMagicValue var id: MagicUUID
  @MagicValue var name: String
  @OptionMagicValue(.indexed) var owner: MagicUUID?
  @OptionMagicValue var lender: MagicUUID?
  @MagicValue var seen: [MagicUUID] = []
  @OptionMagicValue var twin: BinaryTwin?
  @MagicValue var parts: [MagicUUID: BinaryTwin] = [:]

  init() {}
  init(_ id: MagicUUID, _ name: String) { (self.id, self.name) = (id, name) }
}

private struct BinaryTwin: MagicObject {
  @MagicValue var device: MagicUUID
  @MagicValue var slot: Int
  @MagicValue var count: Int = 0
  static var key: MagicKey<Self> { MagicKey(\.$device, \.$slot) }

  init() {}
  init(_ device: MagicUUID, _ slot: Int) { (self.device, self.slot) = (device, slot) }
}

private func id(_ byte: UInt8, _ last: UInt8 = 0) -> MagicUUID {
  MagicUUID(UUID(uuid: (byte, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, last)))
}

/// UUIDs that are stored as sixteen bytes.
@Suite(.everyEngine) struct BinaryUUIDTests {
  let scratch = Scratch()

  @Test func theIdentifierIsTheTextOfTheUUID() throws {
    let device = BinaryDevice(id(1), "a")
    let text = id(1).uuid.uuidString
    #expect("\(device.magicID)" == text)
    #expect(MagicID<BinaryDevice>(text) == device.magicID)
    #expect(MagicID<BinaryDevice>(text.lowercased()) == device.magicID)
    #expect(MagicID<BinaryDevice>("x") == nil)
    let json = try JSONEncoder().encode([device.magicID])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([MagicID<BinaryDevice>].self, from: json) == [device.magicID])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MagicID<BinaryDevice>].self, from: Data(#"["x"]"#.utf8))
    }
  }

  @Test func itIsEncodedAsTheTextOfTheUUID() throws {
    let json = try JSONEncoder().encode([id(1)])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(id(1).uuid.uuidString)\"]")
    #expect(try JSONDecoder().decode([UUID].self, from: json) == [id(1).uuid])
    #expect(try JSONDecoder().decode([MagicUUID].self, from: json) == [id(1)])
    let list = try PropertyListEncoder().encode([id(1)])
    #expect(try PropertyListDecoder().decode([MagicUUID].self, from: list) == [id(1)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MagicUUID].self, from: Data(#"["x"]"#.utf8))
    }
  }

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  @Test func theDefaultPrimaryIsRandomAndIsFoundAgain() async throws {
    let magic = try await open()
    let (one, two) = (BinaryDevice(), BinaryDevice())
    (one.name, two.name) = ("one", "two")
    #expect(one.id != two.id)
    try await magic.update(contentsOf: [one, two])
    #expect(try await magic.object(of: BinaryDevice.self, primary: two.id).name == "two")
    #expect(try await magic.has(of: BinaryDevice.self, primary: one.id))
    #expect(try await !magic.has(of: BinaryDevice.self, primary: MagicUUID()))
    #expect(
      try await magic.object(of: BinaryDevice.self, primaries: [two.id, MagicUUID(), one.id]).map(
        \.name)
        == ["two", "one"])
    let same = BinaryDevice(one.id, "replaced")
    try await magic.update(same)
    #expect(try await magic.query(BinaryDevice.self).count() == 2)
    #expect(try await magic.object(with: same.magicID).name == "replaced")
    #expect(
      await self.code { _ = try await magic.object(of: BinaryDevice.self, primary: UUID()) }
        == .wrongType)
  }

  private func code(_ body: () async throws -> Void) async -> MagicError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? MagicError)?.code }
  }

  @Test func queriesCompareAndSortBytes() async throws {
    let magic = try await open()
    let ids = [id(0xFF), id(0), id(0x80), id(0x7F, 1), id(0x7F)]
    try await magic.update(
      contentsOf: ids.enumerated().map { index, id in
        let device = BinaryDevice(id, "\(index)")
        device.owner = index % 2 == 0 ? ids[0] : nil
        return device
      })
    let devices = magic.query(BinaryDevice.self)
    #expect(try await devices.order(by: \.$id).select(\.$id).all() == ids.sorted())
    #expect(ids.sorted() == [ids[1], ids[4], ids[3], ids[2], ids[0]])
    #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    #expect(try await devices.where(\.$id == ids[3]).all().map(\.name) == ["3"])
    #expect(try await devices.where(\.$id != ids[3]).count() == 4)
    #expect(try await devices.where(\.$id > ids[4]).count() == 3)
    #expect(try await devices.where { $0.$id.in([ids[0], ids[2], MagicUUID()]) }.count() == 2)
    #expect(try await devices.where(\.$owner == nil).count() == 2)
    #expect(try await devices.where(\.$owner == \.$lender).count() == 2)
    #expect(try await devices.max(\.$id) == ids[0])
    try await devices.where(\.$owner == nil).update(set: \.$owner, to: ids[2])
    #expect(try await devices.where(\.$owner == ids[2]).count() == 2)
    try await devices.update(set: \.$lender, to: ids[2])
    #expect(try await devices.where(\.$owner == \.$lender).count() == 2)
    #expect(try await devices.where(\.$id == ids[1]).delete() == 1)
  }

  @Test func keysCollectionsAndRelationshipsContainIt() async throws {
    let magic = try await open()
    let device = BinaryDevice(id(9), "a")
    device.seen = [id(1), id(2)]
    device.twin = BinaryTwin(id(9), 1)
    device.parts = [id(4): BinaryTwin(id(9), 2)]
    try await magic.update(device)
    let again = BinaryTwin(id(9), 1)
    again.count = 5
    try await magic.update(again)
    #expect(try await magic.query(BinaryTwin.self).count() == 2)
    let found = try await magic.object(of: BinaryDevice.self, primary: id(9))
    #expect(found.seen == [id(1), id(2)] && found.twin?.count == 5)
    #expect(found.parts.keys.map { $0 } == [id(4)] && found.parts[id(4)]?.slot == 2)
    found.parts[id(5)] = found.parts.removeValue(forKey: id(4))
    found.owner = found.id
    #expect(found.hasChanges)
    try await magic.update(found)
    let stored = try await magic.object(of: BinaryDevice.self, primary: id(9))
    #expect(Array(stored.parts.keys) == [id(5)] && stored.owner == id(9))
    let record = try JSONEncoder().encode(stored.values)
    #expect(String(decoding: record, as: UTF8.self).contains(id(9).description))
    let decoded = try JSONDecoder().decode(MagicRecord<BinaryDevice>.self, from: record)
    #expect(decoded == stored.values)
  }

  @Test(.requires(.rawSQL)) func anotherNumberOfBytesIsAnError() async throws {
    let magic = try await open()
    try await magic.update(BinaryDevice(id(1), "a"))
    try await magic.sql("UPDATE BinaryDevice SET owner = \(Data([1, 2]))").run()
    #expect(
      await code { _ = try await magic.object(of: BinaryDevice.self) } == .cannotDecode)
    try await magic.sql("UPDATE BinaryDevice SET owner = \(UUID())").run()
    #expect(
      await code { _ = try await magic.object(of: BinaryDevice.self) } == .cannotDecode)
  }

  @Test func itIsTheTextOfAUUIDInSwift() throws {
    let text = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    let value = try #require(MagicUUID(text))
    #expect(value.description == text.uppercased() && MagicUUID(value.description) == value)
    #expect(value.uuid == UUID(uuidString: text))
    #expect(MagicUUID("6f9619ff8b86d011b42d00c04fc964ff") == nil && MagicUUID("") == nil)
    let json = try JSONEncoder().encode([value])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text.uppercased())\"]")
    #expect(try JSONDecoder().decode([MagicUUID].self, from: json) == [value])
    #expect(value.storedValue.count == 16)
    #expect(throws: MagicalError.self) { try MagicUUID(storedValue: Data([1])) }
  }
}

/// Migrations between UUIDs as text and as bytes.
@Suite struct BinaryUUIDMigrationTests {
  let scratch = Scratch()

  enum Text {
    struct Gadget: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue(.unique) var token: UUID
      @OptionMagicValue var owner: UUID?
      @OptionMagicValue var next: Gadget?
      init() {}
      init(_ id: UUID, owner: UUID?) { (self.id, token, self.owner) = (id, UUID(), owner) }
    }
  }

  enum Bytes {
    struct Gadget: MagicObject {
      @PrimaryMagicValue var id: MagicUUID
      @MagicValue(.unique) var token: MagicUUID
      @OptionMagicValue var owner: MagicUUID?
      @OptionMagicValue var next: Gadget?
      init() {}
    }
  }

  enum Loose {
    struct Gadget: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var token: String
      init() {}
      init(_ token: String) { self.token = token }
    }
  }

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: scratch.file())
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  @Test func textBecomesBytesAndTextAgain() async throws {
    let ids = (0..<300).map { _ in UUID() }
    try await using { magic in
      var last: Text.Gadget?
      var all: [Text.Gadget] = []
      for (index, id) in ids.enumerated() {
        let gadget = Text.Gadget(id, owner: index % 3 == 0 ? nil : ids[index / 2])
        gadget.next = last
        last = gadget
        all.append(gadget)
      }
      try await magic.update(contentsOf: all)
    }
    try await using { magic in
      let plan = try await magic.migrationPlan(for: [Bytes.Gadget.self])
      #expect(plan.kind == .rewriting && plan.refused.isEmpty)
      #expect(try await magic.query(Bytes.Gadget.self).count() == 300)
      #expect(
        try await magic.sql("SELECT DISTINCT typeof(id), typeof(token) FROM Gadget").rows(
          String.self, String.self
        ).map { "\($0) \($1)" } == ["blob blob"])
      #expect(
        try await magic.sql(
          "SELECT DISTINCT form FROM magic_columns WHERE column_name IN ('id', 'token', 'owner')"
        ).rows(String.self) == ["uuid-bytes"])
      for (index, id) in ids.enumerated() {
        let gadget = try await magic.object(of: Bytes.Gadget.self, primary: MagicUUID(id))
        #expect(gadget.owner?.uuid == (index % 3 == 0 ? nil : ids[index / 2]))
        #expect(gadget.next?.id.uuid == (index == 0 ? nil : ids[index - 1]))
      }
    }
    try await using { magic in
      #expect(try await magic.migrationPlan(for: [Text.Gadget.self]).kind == .rewriting)
      for id in ids { #expect(try await magic.has(of: Text.Gadget.self, primary: id)) }
      let found = try await magic.object(of: Text.Gadget.self, primary: ids[1])
      #expect(found.owner == ids[0] && found.next?.id == ids[0])
    }
  }

  @Test func otherTextIsRefused() async throws {
    try await using { try await $0.update(Loose.Gadget("no UUID")) }
    try await using { magic in
      let plan = try await magic.migrationPlan(for: [Bytes.Gadget.self])
      #expect(!plan.refused.isEmpty)
      await #expect(throws: MagicError.self) { try await magic.update(Bytes.Gadget()) }
    }
    try await using { magic async throws in
      #expect(try await magic.object(of: Loose.Gadget.self).map(\.token) == ["no UUID"])
    }
  }
}
