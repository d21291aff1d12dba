import MagicData
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLEngine
import PostgreSQLTestSupport
import Testing

private final class Box: MagicObject, @unchecked Sendable {
  @MagicValue(.owned, .onDelete(.cascade)) var items: [Match] = []

  init() {}
  init(_ items: [Match]) { self.items = items }
}

/// Members of many owners, which are written together.
@Suite(.requiresPostgreSQL) struct MemberBatchTests {
  private let schema: TestSchema
  private let magic: MagicData
  private let statements = Recorder<String>()

  init() throws {
    schema = try TestSchema()
    var settings = PostgreSQLSettings(schema.server.information)
    settings.schema = schema.name
    settings.trace = { [statements] in statements.note($0) }
    magic = MagicData(try PostgreSQLDatabase(settings))
  }

  /// Runs a body, and expects few statements with the join tables.
  private func expectFewStatements(
    _ limit: Int, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws {
    let before = statements.all.count
    try await body()
    let new = statements.all[before...].filter { $0.contains("\"magic_") }
    #expect(new.count <= limit, "\(Set(new))", sourceLocation: location)
  }

  @Test func ownedListsOfManyOwnersShareStatements() async throws {
    let boxes = (0..<200).map { box in Box((0..<2).map { Match("\(box) \($0)") }) }
    try await magic.update(Box([Match("first")]))
    try await expectFewStatements(4) { try await magic.update(contentsOf: boxes) }
    for box in boxes { box.items.insert(Match("new"), at: 1) }
    try await expectFewStatements(4) { try await magic.update(contentsOf: boxes) }
    for box in boxes { box.items[0].place = "changed" }
    try await expectFewStatements(4) { try await magic.update(contentsOf: boxes) }
    let stored = try await magic.object(of: Box.self)
    #expect(stored.count == 201)
    for (index, box) in stored.dropFirst().enumerated() {
      #expect(box.items.map(\.place) == ["changed", "new", "\(index) 1"])
    }
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func membersMoveBetweenTheOwnedListsOfOneCall() async throws {
    let members = (0..<40).map { Match("\($0)") }
    let boxes = (0..<20).map { Box([members[2 * $0], members[2 * $0 + 1]]) }
    try await magic.update(contentsOf: boxes)
    // Each box takes the first member of the next one, also in a circle.
    for (index, box) in boxes.enumerated() {
      box.items[0] = members[2 * ((index + 1) % 20)]
    }
    try await magic.update(contentsOf: boxes)
    let stored = try await magic.object(of: Box.self)
    for (index, box) in stored.enumerated() {
      #expect(box.items.map(\.place) == ["\(2 * ((index + 1) % 20))", "\(2 * index + 1)"])
    }
    // The last of two owners that take one member has it.
    boxes[3].items.append(members[0])
    boxes[5].items.append(members[0])
    try await magic.update(contentsOf: boxes)
    let owners = try await magic.object(of: Box.self).enumerated()
      .filter { $0.element.items.contains { $0.place == "0" } }
    #expect(owners.map(\.offset) == [5])
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func otherCollectionsOfManyOwnersShareStatements() async throws {
    let (first, second) = (Player("first"), Player("second"))
    let teams = (0..<200).map { index in
      let team = Team("\(index)", [first])
      team.fans = [first]
      team.roles = ["a": first, "b": second]
      return team
    }
    try await magic.update(contentsOf: teams)
    for team in teams {
      team.members.append(second)
      team.fans = [second]
    }
    try await expectFewStatements(6) { try await magic.update(contentsOf: teams) }
    for team in teams { team.roles = ["b": first, "c": second] }
    // Each key is a statement, and all of them are one message.
    try await magic.update(contentsOf: teams)
    let stored = try await magic.object(of: Team.self)
    #expect(stored.count == 200)
    for team in stored {
      #expect(team.members.map(\.name) == ["first", "second"])
      #expect(team.fans.map(\.name) == ["second"])
      #expect(team.roles.mapValues(\.name) == ["b": "first", "c": "second"])
    }
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func aValueThatIsTooLargeForAnIndexNamesItsProperty() async throws {
    let name = String((0..<6_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 33...126))) })
    let error = await #expect(throws: MagicError.self) { try await magic.update(City(name)) }
    #expect(error?.code == .tooBig && error?.type == "City" && error?.property == "name")
    await magic.close()
  }
}
