import Foundation
import MagicRelations
import MagicStore

// Kinds of properties that the types of the fixtures do not have.

enum Weight: Double, Magical, CaseIterable, Codable {
  case light = 0.5
  case heavy = 2
}

/// An object with inverse relationships of all kinds, and with optional values.
struct Leaflet: MagicObject {
  @MagicValue var weight: Weight
  @MagicValue var printed: Date
  @OptionMagicValue var read: Date?
  @OptionMagicValue var pause: Duration?
  @OptionMagicValue var job: Job?
  @MagicValue var jobs: [String: Job] = [:]
  @ReverseMagicValue(\Rack.$list) var lists: AsyncReverseMagicSet<Rack>
  @ReverseMagicValue(\Rack.$byID) var racksByID: AsyncReverseMagicSet<Rack>
  @ReverseMagicValue(\Rack.$first) var racks: AsyncReverseMagicSet<Rack>

  init() {}

  init(_ weight: Weight, _ printed: Date) {
    self.weight = weight
    self.printed = printed
    jobs = ["a / b": Job(title: "c", salary: 1, days: [])]
  }
}

/// An object with dictionaries whose keys have all forms.
struct Rack: MagicObject {
  @OptionMagicValue(.named("the first")) var first: Leaflet?
  @MagicValue(.named("the list")) var list: [Leaflet] = []
  @MagicValue(.named("by ID")) var byID: [UUID: Leaflet] = [:]
  @MagicValue var byDate: [Date: Leaflet] = [:]
  @MagicValue var byReal: [Double: Leaflet] = [:]
  @MagicValue var byTruth: [Bool: Leaflet] = [:]
  @MagicValue var byWeight: [Weight: Leaflet] = [:]
  @MagicValue var byData: [Data: Leaflet] = [:]
  @MagicValue var byNumbers: [[Int]: Leaflet] = [:]

  init() {}
}

extension Leaflet: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    let racks = try store.object(of: Rack.self)
    func having(_ leaflets: (Rack) -> [Leaflet]) -> [Rack] {
      racks.filter { rack in leaflets(rack).contains { $0.zIndex == zIndex } }
    }
    return [
      .real("weight", weight.rawValue, form: "enum"), .date("printed", printed),
      .date("read", read), .text("pause", pauseText, form: "duration"), try .json("job", job),
      try .json("jobs", jobs),
      .inverse("lists", having(\.list)), .inverse("racksByID", having { Array($0.byID.values) }),
      .inverse("racks", having { $0.first.map { [$0] } ?? [] }),
    ]
  }
}

extension Rack: ReadByFormat {
  static let id = Sample.uuid(1)
  static let date = Sample.date(3)
  static let data = Sample.data(4)

  /// Sets all dictionaries, each with one key.
  func fill(_ leaflet: Leaflet) {
    byID = [Self.id: leaflet]
    byDate = [Self.date: leaflet]
    byReal = [-0.5: leaflet]
    byTruth = [true: leaflet]
    byWeight = [.heavy: leaflet]
    byData = [Self.data: leaflet]
    byNumbers = [[1, -2]: leaflet]
  }

  func fields(_ store: MagicObjectStore) throws -> [Field] {
    func dictionary<Key>(_ name: String, _ key: JSON, _ members: [Key: Leaflet]) -> Field {
      .dictionary(name, key: key, members.values.first)
    }
    return [
      .one("first", first), .list("list", list),
      dictionary("byID", .exact(Self.id.uuidString), byID),
      dictionary("byDate", Field.iso(Self.date), byDate),
      dictionary("byReal", .real(-0.5), byReal), dictionary("byTruth", .bool(true), byTruth),
      dictionary("byWeight", .real(2), byWeight),
      dictionary("byData", .exact(Self.data.base64EncodedString()), byData),
      dictionary("byNumbers", .array([.integer(1), .integer(-2)]), byNumbers),
    ]
  }
}

extension Leaflet {
  /// The seconds with all attoseconds. All durations in the test are shorter than a second.
  private var pauseText: String? {
    pause.map { pause in
      let digits = String(abs(pause.components.attoseconds))
      return (pause < .zero ? "-" : "") + "0." + String(repeating: "0", count: 18 - digits.count)
        + digits
    }
  }
}
