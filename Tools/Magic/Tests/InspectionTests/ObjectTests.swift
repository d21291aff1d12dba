import MagicInspection
import Testing
import ToolTestSupport

@Suite struct ObjectTests {
  @Test(arguments: Fixture.allCases.dropFirst())
  func anObjectHasItsRelationships(_ fixture: Fixture) throws {
    try fixture.reading { reader, database in
      let home = try database.type(named: "Home")
      let rowID = try #require(try reader.rowIDs(matching: "home 1", in: home).first)
      let object = try reader.object(rowID, of: home, in: database)
      #expect(object.reference.label == "home 1")
      #expect(object.toOnes["city"]?.table == "City")
      #expect(object.toOnes["city"]?.exists == true)
      let residents = try #require(
        object.collections.first { $0.relationship.property == "residents" })
      let page = try reader.members(of: residents.relationship, owner: rowID, in: database)
      #expect(page.members.count == residents.count)
      #expect(page.members.allSatisfy { $0.table == "Person" && $0.exists })
      let last = try reader.members(
        of: residents.relationship, owner: rowID, in: database, offset: residents.count - 1,
        limit: 1)
      #expect(last.members == page.members.suffix(1))
      #expect(!last.hasMore)
      let phones = try #require(home.relationship(named: "phones"))
      let keys = try reader.members(of: phones, owner: rowID, in: database).members.map(\.key)
      #expect(keys.allSatisfy { $0?.text != nil })
    }
  }

  @Test(arguments: Fixture.allCases.dropFirst())
  func whatRefersToAnObjectIsFound(_ fixture: Fixture) throws {
    try fixture.reading { reader, database in
      let home = try database.type(named: "Home")
      let rowID = try #require(try reader.rowIDs(matching: "home 1", in: home).first)
      for collection in try reader.object(rowID, of: home, in: database).collections {
        for member in try reader.members(
          of: collection.relationship, owner: rowID, in: database
        ).members {
          let type = try #require(database.type(ofTable: member.table))
          let referrers = try reader.object(member.rowID, of: type, in: database).referrers
          #expect(referrers.contains { $0.relationship == collection.relationship })
          let page = try reader.referrers(
            to: member.rowID, by: collection.relationship, in: database)
          #expect(page.members.contains { $0.rowID == rowID && $0.table == home.table })
        }
      }
    }
  }

  @Test func anInverseRelationshipHasTheOwners() throws {
    try Fixture.columns.reading { reader, database in
      let city = try database.type(named: "City")
      let homes = try #require(city.relationship(named: "homes"))
      var found: [Int64] = []
      for row in try reader.page(of: city, RowRequest()).rows {
        let members = try reader.members(of: homes, owner: row.rowID, in: database).members
        #expect(members.count == (try reader.memberCount(of: homes, owner: row.rowID)))
        found += members.map(\.rowID)
      }
      let home = try database.type(named: "Home")
      #expect(found.count == (try reader.count(of: home).number))
    }
  }

  @Test func ownedListsAndCollectionsThroughJoinTypesHaveMembers() throws {
    let sql =
      library("name TEXT", properties: [("name", "text")]) + """
        INSERT INTO magic_relationships VALUES
          ('Item', 'parts', 'owned', 'Part', 'nullify', NULL),
          ('Link', 'item', 'one', 'Item', 'nullify', NULL),
          ('Link', 'part', 'one', 'Part', 'nullify', NULL);
        INSERT INTO magic_columns VALUES
          ('Item', 'parts', 'parts', 'Array<Part>', 'list', NULL),
          ('Item', 'linked', NULL, 'Array<Part>', 'through',
            '{"table":"Link","property":"item","target":"part","order":"rank","collection":"list"}'),
          ('Part', 'title', 'title', 'String', 'text', NULL),
          ('Part', 'items', NULL, '', 'inverse', '{"table":"Item","property":"linked"}'),
          ('Part', 'owner', NULL, '', 'inverse', '{"table":"Item","property":"parts"}'),
          ('Link', 'item', 'item', 'Item', 'one', NULL),
          ('Link', 'part', 'part', 'Part', 'one', NULL),
          ('Link', 'rank', 'rank', 'Int', 'integer', NULL);
        INSERT INTO magic_catalogue (table_name, type_name, fingerprint)
          VALUES ('Part', 'Part', ''), ('Link', 'Link', '');
        CREATE TABLE Part (z_index INTEGER PRIMARY KEY, title TEXT,
          "Item.parts owner" INTEGER, "Item.parts position" INTEGER);
        CREATE TABLE Link (z_index INTEGER PRIMARY KEY, item INTEGER, part INTEGER, rank INTEGER);
        INSERT INTO Item VALUES (1, 'whole');
        INSERT INTO Part VALUES (1, 'a', 1, 20), (2, 'b', 1, 10), (3, 'c', NULL, NULL);
        INSERT INTO Link VALUES (1, 1, 3, 2), (2, 1, 1, 1), (3, 1, NULL, 0);
        """
    try reading(sql) { reader, database in
      #expect(database.problems.isEmpty)
      let item = try database.type(named: "Item")
      let part = try database.type(named: "Part")
      func labels(_ type: InspectedType, _ name: String, of owner: Int64) throws -> [String?] {
        let relationship = try #require(type.relationship(named: name))
        let page = try reader.members(of: relationship, owner: owner, in: database)
        return page.members.map(\.label)
      }
      #expect(try labels(item, "parts", of: 1) == ["b", "a"])
      #expect(try labels(item, "linked", of: 1) == ["a", "c"])
      #expect(try labels(part, "items", of: 3) == ["whole"])
      #expect(try labels(part, "owner", of: 2) == ["whole"])
      #expect(try labels(part, "owner", of: 3) == [])
      #expect(part.columns.map(\.property) == ["title"])
      let object = try reader.object(1, of: part, in: database)
      #expect(Set(object.referrers.map(\.relationship.property)) == ["parts", "part"])
    }
  }

  @Test func aReferenceToAMissingRowDoesNotExist() throws {
    let sql =
      library("name TEXT, next INTEGER", properties: [("name", "text"), ("next", "one")]) + """
        INSERT INTO magic_relationships VALUES ('Item', 'next', 'one', 'Item', 'nullify', NULL);
        INSERT INTO Item VALUES (1, '', 9), (2, 'two', 1);
        """
    try reading(sql) { reader, database in
      let type = database.types[0]
      let object = try reader.object(1, of: type, in: database)
      #expect(object.reference.label == nil)
      #expect(object.toOnes["next"]?.exists == false)
      #expect(object.referrers.map(\.count) == [1])
      #expect(inspectionError { _ = try reader.object(9, of: type, in: database) } == .notFound)
      #expect(try reader.rowIDs(matching: "#2", in: type) == [2])
      #expect(try reader.rowIDs(matching: "#9", in: type) == [])
      #expect(try reader.rowIDs(matching: "two", in: type) == [2])
    }
  }
}
