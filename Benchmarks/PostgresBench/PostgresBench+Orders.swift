import CPostgresTwin
import MagicData

/// An object that may be stored, with others that may be stored.
struct Order: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var title: String
  @MagicValue var lines: [Line]

  init() {}

  init(_ index: Int, lines count: Int, version: Int) {
    id = "order \(index)"
    title = "text \(version) of order \(index)"
    lines = (0..<count).map { Line(index * count + $0, version: version) }
  }
}

struct Line: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var text: String

  init() {}

  init(_ index: Int, version: Int) {
    id = "line \(index)"
    text = "text \(version) of line \(index)"
  }
}

/// The same with keys instead of primaries.
struct Ticket: MagicObject {
  static var key: MagicKey<Ticket> { MagicKey(\.$project, \.$number) }

  @MagicValue var project: String
  @MagicValue var number: Int
  @MagicValue var title: String
  @MagicValue var remarks: [Remark]

  init() {}

  init(_ index: Int, remarks count: Int, version: Int) {
    (project, number) = ("project", index)
    title = "text \(version) of ticket \(index)"
    remarks = (0..<count).map { Remark(index * count + $0, version: version) }
  }
}

struct Remark: MagicObject {
  static var key: MagicKey<Remark> { MagicKey(\.$project, \.$number) }

  @MagicValue var project: String
  @MagicValue var number: Int
  @MagicValue var text: String

  init() {}

  init(_ index: Int, version: Int) {
    (project, number) = ("project", index)
    text = "text \(version) of remark \(index)"
  }
}

/// Saves of new objects whose rows may exist.
extension PostgresBench {
  func orders() async throws {
    guard "P7".hasPrefix(selected) else { return }
    let (count, lines) = (5_000, 4)
    try await magic.update(Order(0, lines: lines, version: 0))
    try await magic.update(Ticket(0, remarks: lines, version: 0))
    for (table, twin) in [("\"Order\"", "twin_order"), ("\"Line\"", "twin_line")] {
      try sql("DROP TABLE IF EXISTS \(twin) CASCADE")
      try sql("CREATE TABLE \(twin) (LIKE \(table) INCLUDING ALL)")
    }
    try sql(
      """
      DROP TABLE IF EXISTS twin_lines; CREATE TABLE twin_lines (
        owner bigint NOT NULL REFERENCES twin_order DEFERRABLE INITIALLY DEFERRED,
        position bigint NOT NULL,
        target bigint NOT NULL REFERENCES twin_line DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (owner, position));
      CREATE INDEX ON twin_lines (target, owner)
      """)
    func remove() throws {
      try sql("TRUNCATE \"Order\", \"Line\", \"Ticket\", \"Remark\" CASCADE")
      try sql("TRUNCATE twin_order, twin_line, twin_lines; CHECKPOINT")
    }
    let (orders, tickets) = (Holder<[Order]>([]), Holder<[Ticket]>([]))
    var version: Int32 = 0
    func measure(_ name: String, prepare: () -> Void, library: () async throws -> Void) async throws
    {
      for (state, isNew) in [("new", true), ("again", false)] {
        try await compare(
          "P7 save 5,000 \(name), \(state), a row", count * (lines + 1),
          prepare: {
            if isNew { try remove() }
            version += 1
            prepare()
          },
          twin: { twin_save_orders(connection, Int32(count), Int32(lines), version) },
          library: library)
      }
    }
    try await measure(
      "orders of 4 lines with primaries",
      prepare: {
        orders.value = (0..<count).map { Order($0, lines: lines, version: Int(version)) }
      },
      library: { try await magic.update(contentsOf: orders.value) })
    try await measure(
      "tickets of 4 remarks with keys",
      prepare: {
        tickets.value = (0..<count).map { Ticket($0, remarks: lines, version: Int(version)) }
      },
      library: { try await magic.update(contentsOf: tickets.value) })
  }
}
