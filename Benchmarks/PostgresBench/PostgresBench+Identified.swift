import MagicData
import MagicDataPostgres
import Foundation

struct Ticket: MagicObject {
  @MagicValue var project: String
  @MagicValue var number: Int
  @MagicValue var title: String
  @MagicValue var remarks: [Remark]
  static var key: MagicKey<Ticket> { MagicKey(\.$project, \.$number) }

  init() {}
  init(_ index: Int) {
    number = index
    project = "swift"
    title = "ticket \(index)"
    remarks = (0..<2).map { Remark(index * 2 + $0) }
  }
}

struct Remark: MagicObject {
  @MagicValue var code: String
  @MagicValue var part: Int
  @MagicValue var text: String
  static var key: MagicKey<Remark> { MagicKey(\.$code, \.$part) }

  init() {}
  init(_ index: Int) {
    code = "remark \(index)"
    part = 1
    text = "text of \(index)"
  }
}

struct Order: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var title: String
  @MagicValue var lines: [Line]
  init() {}
  init(_ index: Int) {
    id = "order \(index)"
    title = "ticket \(index)"
    lines = (0..<2).map { Line(index * 2 + $0) }
  }
}

struct Line: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var text: String
  init() {}
  init(_ index: Int) {
    id = "line \(index)"
    text = "text of \(index)"
  }
}

extension PostgresBench {
  func identified() async throws {
    for engine in ["postgres", "sqlite"] {
      let path = "/tmp/scratch-\(UUID()).sqlite3"
      let store = engine == "sqlite" ? try await MagicData(path: path) : magic
      _ = try await store.update(Ticket(1_000_000))
      _ = try await store.update(Order(1_000_000))
      for round in 0..<2 {
        let tickets = (0..<10_000).map { Ticket($0) }
        let orders = (0..<10_000).map { Order($0) }
        let t = try await seconds { try await store.update(contentsOf: tickets) }
        let o = try await seconds { try await store.update(contentsOf: orders) }
        print("| P7 \(engine) round \(round) keyed \(t / 30_000 * 1e6) primaries \(o / 30_000 * 1e6) µs an object")
      }
      let keyless = (0..<10_000).map { Team($0, members: 2) }
      _ = try await store.update(Team(1, members: 2))
      let t = try await seconds { try await store.update(contentsOf: keyless) }
      print("| P7 \(engine) plain \(t / 30_000 * 1e6) µs an object")
    }
  }
}
