import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// An integer primary that becomes the row ID, and one that was it.
@Suite struct RowIDMigrationTests {
  private typealias Before = ColumnPrimaries
  private typealias After = RowIDPrimaries

  let scratch = Scratch()

  private func using(
    readOnly: Bool = false, _ body: (MagicData) async throws -> Void
  ) async throws {
    let magic = try await MagicData(
      path: scratch.file(), options: MagicOptions(readOnly: readOnly))
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.isSound, "\(report)")
    await magic.close()
  }

  /// Stores ports with the row IDs 1 to 4 and the primaries 3, 1, 2 and 50.
  private func makePorts() async throws {
    try await using { magic async throws in
      let ports = [3, 1, 2, 50].map { (id: Int) in Before.Port("port \(id)", id: id) }
      try await magic.update(contentsOf: ports)
      for (port, twin) in zip(ports, [ports[1], ports[2], ports[0]]) { port.twin = twin }
      ports[3].neighbours = [ports[0], ports[3], ports[1], ports[0]]
      ports[0].neighbours = [ports[1]]
      try await magic.update(contentsOf: ports)
      let fleets = ports.map { Before.Fleet("fleet \($0.id)") }
      for (index, fleet) in fleets.enumerated() {
        fleet.home = ports[index]
        fleet.base = .init(value: ports[3 - index])
        fleet.calls = [ports[index], ports[3 - index]]
        fleet.visited = [ports[index], ports[3]]
        fleet.codes = ["a": ports[index], "b": ports[0]]
      }
      try await magic.update(contentsOf: fleets)
      for port in ports { port.twin = nil }
    }
    let file = try scratch.raw()
    try file.execute(
      """
      CREATE TABLE visit (port INTEGER REFERENCES "Port" ("z_index"), name TEXT);
      INSERT INTO visit SELECT "z_index", "name" FROM "Port";
      CREATE TABLE mark (port REFERENCES "Port", name TEXT);
      INSERT INTO mark SELECT "z_index", "name" FROM "Port"
      """)
    file.close()
  }

  /// Expects the ports of ``makePorts()``, found through each relationship.
  private func expectPorts(in magic: MagicData) async throws {
    let fleets = try await magic.object(of: After.Fleet.self)
    #expect(fleets.map(\.name) == ["fleet 3", "fleet 1", "fleet 2", "fleet 50"])
    let numbers = [3, 1, 2, 50]
    for (index, fleet) in fleets.enumerated() {
      let (own, other) = (numbers[index], numbers[3 - index])
      #expect(fleet.home?.name == "port \(own)")
      #expect(try await fleet.base?.get().id == other)
      #expect(fleet.calls.map(\.name) == ["port \(own)", "port \(other)"])
      #expect(Set(fleet.visited.map(\.id)) == [own, 50])
      #expect(fleet.codes.mapValues(\.id) == ["a": own, "b": 3])
    }
    let ports = try await magic.query(After.Port.self).order(by: \.$id).all()
    #expect(ports.map(\.id) == [1, 2, 3, 50])
    #expect(ports.allSatisfy { $0.name == "port \($0.id)" })
    #expect(ports.map { $0.twin?.id } == [2, 3, 1, nil])
    #expect(ports[3].neighbours.map(\.id) == [3, 50, 1, 3])
    #expect(ports[2].neighbours.map(\.id) == [1])
    let names = try await magic.sql(
      """
      SELECT count(*) FROM (SELECT * FROM visit UNION ALL SELECT * FROM mark) AS v
      JOIN "Port" ON "z_index" = v.port AND "Port"."name" = v.name
      """
    ).value(Int.self)
    #expect(names == 8)
  }

  @Test(arguments: [false, true])
  func thePrimariesBecomeTheRowIDsInAllReferences(onDemand: Bool) async throws {
    try await makePorts()
    try await using { magic async throws in
      if !onDemand {
        let plan = try await magic.migrationPlan(for: After.Fleet.self)
        #expect(plan.kind == .rewriting)
        #expect(plan.refused.isEmpty)
        #expect("\(plan)".contains("the row IDs become the values of id"))
        let done = try await magic.migrate(After.Fleet.self)
        #expect("\(done)" == "\(plan)")
        #expect(try await magic.migrationPlan(for: After.Fleet.self).steps.isEmpty)
      }
      try await expectPorts(in: magic)
      for port in try await magic.object(of: After.Port.self) {
        #expect(port.zIndex?.rawValue == Int64(port.id))
      }
      let new = After.Port("new")
      try await magic.update(new)
      #expect(new.id == 51)
    }
    let file = try scratch.raw()
    #expect(
      try file.text("SELECT sql FROM sqlite_master WHERE name = 'Port'")?.contains("\"id\"")
        == false)
    #expect(try file.integer("SELECT count(*) FROM pragma_index_list('Port')") == 2)
  }

  @Test func aLazyReferenceThatWasReadBeforeRefersToTheMovedRow() async throws {
    try await makePorts()
    try await using { magic async throws in
      let fleet = try #require(
        try await magic.query(After.Fleet.self).where(\.$name == "fleet 3").first())
      let base = try #require(fleet.base)
      #expect(try await magic.object(of: After.Port.self, primary: 2).name == "port 2")
      #expect(try await base.get().id == 50)
    }
  }

  @Test func aPrimaryThatWasUsedIsNotAssignedAgain() async throws {
    try await using { magic async throws in
      let ports = [Before.Port("a"), Before.Port("b", id: 70)]
      try await magic.update(contentsOf: ports)
      try await magic.remove(ports[1])
      try await magic.update(Before.Port("c"))
      try await magic.query(Before.Port.self).where(\.$name == "c").delete()
    }
    try await using { magic async throws in
      let port = After.Port("next")
      try await magic.update(port)
      #expect(port.id == 72)
    }
  }

  @Test func primariesThatEqualTheRowIDsMoveNoRow() async throws {
    try await using { magic async throws in
      try await magic.update(contentsOf: (1...3).map { Before.Port("\($0)") })
    }
    try await using { magic async throws in
      let plan = try await magic.migrationPlan(for: After.Port.self)
      #expect(!plan.steps.contains { "\($0.sql)".contains("z_index\\\" = -") })
      #expect(try await magic.object(of: After.Port.self).map(\.id) == [1, 2, 3])
    }
  }

  @Test func theRowIDsBecomeAColumnAgain() async throws {
    try await makePorts()
    try await using { magic async throws in
      try await magic.migrate(After.Fleet.self)
      let last = After.Port("last", id: 90)
      try await magic.update(last)
      try await magic.remove(last)
    }
    try await using { magic async throws in
      let plan = try await magic.migrationPlan(for: Before.Fleet.self)
      #expect(plan.kind == .rewriting)
      #expect(plan.refused.isEmpty)
      let ports = try await magic.query(Before.Port.self).order(by: \.$id).all()
      #expect(ports.map(\.id) == [1, 2, 3, 50])
      #expect(ports.map { $0.zIndex?.rawValue } == [1, 2, 3, 50])
      #expect(ports.map { $0.twin?.id } == [2, 3, 1, nil])
      let fleet = try await magic.object(of: Before.Fleet.self, primary: "fleet 50")
      #expect(fleet.home?.id == 50)
      let next = Before.Port("next")
      try await magic.update(next)
      #expect(next.id == 91)
      let error = await #expect(throws: MagicError.self) {
        ports[0].id = 2
        try await magic.update(ports[0])
      }
      #expect(error?.code == .notUnique)
    }
    try await using { magic async throws in
      let ports = try await magic.query(After.Port.self).order(by: \.$id).all()
      #expect(ports.map(\.id) == [1, 2, 3, 50, 91])
    }
  }

  @Test func theRowIDsBecomeTexts() async throws {
    enum Texts {
      struct Port: MagicObject {
        @PrimaryMagicValue var id: String
        @MagicValue(.indexed) var name: String
      }
    }
    enum Flags {
      struct Port: MagicObject {
        @PrimaryMagicValue(.rowID) var id: Int
        @MagicValue(.indexed) var name: String
        init() {}
        init(id: Int) { (self.id, name) = (id, "\(id)") }
      }
    }
    try await using { magic async throws in
      try await magic.update(contentsOf: [Flags.Port(id: 4), Flags.Port(id: 9)])
    }
    try await using { magic async throws in
      let ports = try await magic.object(of: Texts.Port.self)
      #expect(ports.map(\.id) == ["4", "9"])
    }
  }

  @Test func aTypeIsRenamedToo() async throws {
    enum Renamed {
      struct Haven: MagicObject {
        static var wasNamed: [String] { ["Port"] }
        @PrimaryMagicValue(.rowID) var id: Int
        @MagicValue(.indexed) var name: String
        @OptionMagicValue(.wasNamed("twin")) var sister: Haven?
        @MagicValue(.wasNamed("neighbours")) var others: [Haven] = []
      }
    }
    try await makePorts()
    try await using { magic async throws in
      try await magic.query(Before.Fleet.self).delete()
      let plan = try await magic.migrationPlan(for: Renamed.Haven.self)
      let done = try await magic.migrate(Renamed.Haven.self)
      #expect("\(plan)" == "\(done)")
      let ports = try await magic.query(Renamed.Haven.self).order(by: \.$id).all()
      #expect(ports.map(\.name) == ["port 1", "port 2", "port 3", "port 50"])
      #expect(ports.map { $0.sister?.id } == [2, 3, 1, nil])
      #expect(ports[3].others.map(\.id) == [3, 50, 1, 3])
    }
  }

  @Test func observersOfOwnersLearnThatReferencesHaveChanged() async throws {
    try await makePorts()
    try await using { magic async throws in
      var changes = magic.changes(of: After.Fleet.self).makeAsyncIterator()
      try await magic.migrate(After.Port.self)
      let change = try #require(await changes.next())
      #expect(!change.isComplete)
    }
  }

  @Test func aFormerNameIsFound() async throws {
    enum Renamed {
      struct Port: MagicObject {
        @PrimaryMagicValue(.rowID, .wasNamed("id")) var number: Int
        @MagicValue(.indexed) var name: String
        @OptionMagicValue var twin: Port?
        @MagicValue var neighbours: [Port] = []
      }
    }
    try await using { magic async throws in
      try await magic.update(contentsOf: [Before.Port("a", id: 8), Before.Port("b", id: 5)])
    }
    try await using { magic async throws in
      let ports = try await magic.object(of: Renamed.Port.self)
      #expect(ports.map(\.number) == [5, 8])
      #expect(ports.map(\.name) == ["b", "a"])
    }
  }

  @Test func anAddedPrimaryIsTheRowID() async throws {
    enum None {
      struct Port: MagicObject {
        @MagicValue(.indexed) var name: String
        init() {}
        init(_ name: String) { self.name = name }
      }
    }
    enum Added {
      struct Port: MagicObject {
        @PrimaryMagicValue(.rowID) var id: Int
        @MagicValue(.indexed) var name: String
      }
    }
    try await using { magic async throws in
      let ports = (1...3).map { None.Port("\($0)") }
      try await magic.update(contentsOf: ports)
      try await magic.remove(ports[1])
    }
    try await using { magic async throws in
      #expect(try await magic.migrationPlan(for: Added.Port.self).steps.isEmpty)
      #expect(try await magic.object(of: Added.Port.self).map(\.id) == [1, 3])
    }
  }

  // MARK: Refused

  private func expectRefusal(
    naming parts: [String], _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try scratch.raw().text("SELECT group_concat(\"z_index\" || name) FROM Port")
    let magic = try await MagicData(path: scratch.file())
    let error = await #expect(throws: MagicError.self, sourceLocation: location) {
      try await magic.object(of: After.Port.self)
    }
    #expect(error?.code == .needsMigration, sourceLocation: location)
    let message = error?.message ?? ""
    for part in parts {
      #expect(message.contains(part), "\(message)", sourceLocation: location)
    }
    await magic.close()
    #expect(
      try scratch.raw().text("SELECT group_concat(\"z_index\" || name) FROM Port") == before,
      sourceLocation: location)
  }

  @Test func valuesBelowOneAreRefused() async throws {
    try await using { magic async throws in
      try await magic.update(contentsOf: [Before.Port("a", id: -3), Before.Port("b", id: 2)])
    }
    try await expectRefusal(naming: ["row 1 has", "id", "above 0", "remove the option .rowID"])
  }

  @Test func duplicatesAreRefused() async throws {
    enum Plain {
      struct Port: MagicObject {
        @MagicValue var id: Int
        @MagicValue(.indexed) var name: String
        @OptionMagicValue var twin: Port?
        @MagicValue var neighbours: [Port] = []
        init() {}
        init(_ id: Int) { (self.id, name) = (id, "\(id)") }
      }
    }
    try await using { magic async throws in
      try await magic.update(contentsOf: [Plain.Port(5), Plain.Port(4), Plain.Port(5)])
    }
    try await expectRefusal(naming: ["rows 1, 3 have the same value of id"])
  }

  @Test func otherTypesAreRefused() async throws {
    enum Texts {
      struct Port: MagicObject {
        @PrimaryMagicValue var id: String
        @MagicValue(.indexed) var name: String
        @OptionMagicValue var twin: Port?
        @MagicValue var neighbours: [Port] = []
        init() {}
        init(_ id: String) { (self.id, name) = (id, id) }
      }
    }
    try await using { magic async throws in try await magic.update(Texts.Port("x")) }
    try await expectRefusal(naming: ["row 1 has a value of id that is not an integer"])
  }

  @Test func aSharedDatabaseIsRefused() async throws {
    try await using { magic async throws in
      try await magic.update(Before.Port("a"))
      try await magic.prepareForSharing()
    }
    try await expectRefusal(naming: ["shared"])
  }

  @Test func aStepCanGiveOtherValues() async throws {
    enum Stepped {
      struct Port: MagicObject {
        @PrimaryMagicValue(.rowID) var id: Int
        @MagicValue(.indexed) var name: String
        @OptionMagicValue var twin: Port?
        @MagicValue var neighbours: [Port] = []

        static var migrations: Migrations {
          Migrations { MigrationStep { [.transformValue(name: "id") { (id: Int) in id + 10 }] } }
        }
      }
    }
    try await using { magic async throws in
      let ports = [Before.Port("a", id: -3), Before.Port("b", id: 2)]
      ports[0].twin = ports[1]
      try await magic.update(contentsOf: ports)
    }
    try await using { magic async throws in
      let ports = try await magic.object(of: Stepped.Port.self)
      #expect(ports.map(\.id) == [7, 12])
      #expect(ports[0].twin?.name == "b")
    }
  }

  // MARK: Read only

  @Test func aReadOnlyDatabaseIsReadWithoutMovingRows() async throws {
    try await using { magic async throws in
      let ports = [Before.Port("a", id: 8), Before.Port("b", id: 5)]
      let fleet = Before.Fleet("fleet")
      (fleet.home, fleet.base) = (ports[0], .init(value: ports[1]))
      try await magic.update(contentsOf: ports)
      try await magic.update(fleet)
    }
    try await using(readOnly: true) { magic async throws in
      #expect(try await magic.object(of: After.Port.self).map(\.id) == [8, 5])
      #expect(try await magic.object(of: After.Port.self, primary: 5).name == "b")
      let fleet = try await magic.object(of: After.Fleet.self)[0]
      #expect(fleet.home?.id == 8)
      #expect(try await fleet.base?.get().id == 5)
      #expect(try await magic.query(After.Port.self).where(\.$id == 8).all().map(\.name) == ["a"])
    }
    try await using { magic async throws in _ = try await magic.migrate(After.Port.self) }
    try await using(readOnly: true) { magic async throws in
      #expect(try await magic.object(of: Before.Port.self).map(\.id) == [5, 8])
      #expect(try await magic.object(of: Before.Port.self, primary: 8).name == "a")
    }
  }
}
