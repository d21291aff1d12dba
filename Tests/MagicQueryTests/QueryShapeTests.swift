import MagicEngine
import MagicQuery
import SQLiteEngine
import Testing

/// The shape of a query, without its values, identifies its compiled statement.
@Suite struct QueryShapeTests {
  typealias Query<Model: MagicObject> = MagicQuery<Model, MagicUnbound>

  private func shape<Model: MagicObject>(
    _ query: Query<Model>, _ result: QueryResult = .objects
  ) throws -> QueryShape {
    try PreparedQuery(Model.self, query.plan, result).shape
  }

  private func shape<Model: MagicObject, Row>(
    _ selection: MagicSelection<Model, Row, MagicUnbound>, _ result: QueryResult = .tuples
  ) throws -> QueryShape {
    try PreparedQuery(Model.self, selection.plan, result).shape
  }

  private func shape(
    _ predicate: (MagicRow<Resident>) -> MagicPredicate<Resident>
  ) throws -> QueryShape {
    try shape(MagicQuery(Resident.self).where(predicate))
  }

  @Test func valuesAreNotPartOfAShape() throws {
    let shapes = try [18, 99].map { age in
      try shape(
        MagicQuery(Resident.self).where(\.$age > age && \.$name != "\(age)")
          .where { $0.$name.hasPrefix("\(age)") || $0.$level.in([1, 2, 3]) }
          .order(by: \.$name).limit(age).offset(age + 1))
    }
    #expect(shapes[0] == shapes[1])
    #expect(shapes[0].hashValue == shapes[1].hashValue)
  }

  @Test func windowsAreDistinguished() throws {
    let query = MagicQuery(Resident.self)
    let shapes = try [
      shape(query.select { $0.rank(over: .order(by: $0.$age)) }),
      shape(query.select { $0.rank(over: .order(by: $0.$age, .descending)) }),
      shape(query.select { $0.rank(over: .partition(by: $0.$age)) }),
      shape(query.select { $0.rank(over: .all) }),
      shape(query.select { $0.denseRank(over: .order(by: $0.$age)) }),
      shape(query.select { $0.ntile(2, over: .order(by: $0.$age)) }),
      shape(query.select { $0.ntile(3, over: .order(by: $0.$age)) }),
      shape(query.select { $0.$age.lag(over: .order(by: $0.$age)) }),
      shape(query.select { $0.$age.lead(over: .order(by: $0.$age)) }),
      shape(query.select { $0.$id.lead(over: .order(by: $0.$age)) }),
      shape(query.select { $0.$age.sum(over: .order(by: $0.$age)) }),
      shape(query.select { $0.$age.sum(over: .order(by: $0.$age).rows(-1...0)) }),
      shape(query.select { $0.$age.sum(over: .order(by: $0.$age).rows(...0)) }),
      shape(query.select { $0.$age.sum(over: .order(by: $0.$age).rows(0...)) }),
    ]
    #expect(Set(shapes).count == shapes.count)
    let equal = try [2, 3].map { factor in
      try shape(query.select { ($0.$age * factor).sum(over: .partition(by: $0.$age % factor)) })
    }
    #expect(equal[0] == equal[1])
  }

  @Test func similarClosuresHaveOneShape() throws {
    let shapes = try [1, 2].map { age in
      try shape { row in
        row.$home.$members.contains { member in
          member.$age > age
            && member.$friends.contains { $0.$age > member.$age && $0.$name == row.$name }
        }
      }
    }
    #expect(shapes[0] == shapes[1])
    #expect(shapes[0].hashValue == shapes[1].hashValue)
  }

  @Test func rowsOfDifferentClosuresAreDistinguished() throws {
    func shape(
      _ condition: (
        _ outer: MagicRow<Resident>, _ inner: MagicRow<Resident>
      ) -> MagicPredicate<Resident>
    ) throws -> QueryShape {
      try self.shape { row in
        row.$friends.contains { outer in outer.$friends.contains { condition(outer, $0) } }
      }
    }
    let innerOuter = try shape { $1.$age > $0.$age }
    #expect(try shape { $1.$age > $0.$age } == innerOuter)
    #expect(try shape { $0.$age > $1.$age } != innerOuter)
    #expect(try shape { _, inner in inner.$age > inner.$age } != innerOuter)
    #expect(try shape { outer, _ in outer.$age > outer.$age } != innerOuter)
  }

  @Test func queriesThatDifferInMoreThanValuesHaveDifferentShapes() throws {
    let all = MagicQuery(Resident.self)
    let one: MagicPredicate<Resident> = \.$age == 1
    let two: MagicPredicate<Resident> = \.$level == 1
    let shapes = try [
      shape(all), shape(all, .count), shape(all, .exists), shape(all, .delete),
      shape(all, .update([1])), shape(all, .update([2])), shape(MagicQuery(Home.self)),
      shape(all.limit(1)), shape(all.offset(1)), shape(all.limit(1).offset(1)),
      shape(all.order(by: \.$age)), shape(all.order(by: \.$age, .descending)),
      shape(all.order(by: \.$age).order(by: \.$name)),
      shape(all.order(by: \.$name).order(by: \.$age)), shape(all.order(.random)),
      shape(all.where(one)), shape(all.where(two)), shape(all.where(!one)),
      shape(all.where(\.$age != 1)), shape(all.where(\.$age < 1)), shape(all.where(\.$age <= 1)),
      shape(all.where(one && two)), shape(all.where(two && one)), shape(all.where(one || two)),
      shape(all.where(one && two && two)), shape(all.where(one && (two || two))),
      shape(all.where(\.$nick == nil)), shape(all.where(\.$nick != nil)),
      shape(all.where(\.$home.$street == "x")), shape(all.where(\.$home.$owner.$name == "x")),
      shape(all.where(\.$age + 1 == 1)), shape(all.where(\.$age - 1 == 1)),
      shape { $0.$age.in([1]) }, shape { $0.$age.in(0..<100) }, shape { $0.$age.in(0...100) },
      shape { $0.$name.hasPrefix("x") }, shape { $0.$name.hasPrefix("\u{10FFFF}") },
      shape { $0.$name.hasSuffix("x") }, shape { $0.$name.contains("x") },
      shape { $0.$name.like("x") }, shape { $0.$name.lowercased() == "x" },
      shape { $0.$name.uppercased() == "x" },
      shape { !$0.$friends.isEmpty }, shape { $0.$friends.count == 1 },
      shape { $0.$friends.contains { $0.$age == 1 } },
      shape { $0.$friends.allSatisfy { $0.$age == 1 } },
      shape { $0.$friends.count { $0.$age == 1 } == 1 }, shape { $0.$fans.count == 1 },
      shape { $0.$friends.contains(Resident("x")) },
    ]
    for (index, shape) in shapes.enumerated() {
      #expect(shapes.lastIndex(of: shape) == index)
    }
    #expect(Set(shapes).count == shapes.count)
  }

  @Test func lengthsOfListsAreNotPartOfAShape() throws {
    let lists = [[], [1], [1, 2], Array(0..<100)]
    let shapes = try lists.map { list in try shape { $0.$age.in(list) } }
    #expect(Set(shapes).count == 1)
  }

  @Test func differentSelectionsHaveDifferentShapes() throws {
    let all = MagicQuery(Resident.self)
    let groups = all.grouped(by: \.$age)
    let shapes = try [
      shape(all.select(\.$age)), shape(all.select(\.$level)), shape(all.select(\.$age, \.$level)),
      shape(all.select(\.$level, \.$age)), shape(all.select(\.$age).distinct()),
      shape(all.select { $0.$age + 1 }), shape(all.order(by: \.$age).select(\.$age)),
      shape(all.limit(1).select(\.$age).distinct()), shape(all.select(\.$age), .tupleCount),
      shape(groups.select { $0.count }), shape(groups.select { $0.sum(\.$age) }),
      shape(groups.select { $0.min(\.$age) }), shape(groups.select { $0.max(\.$age) }),
      shape(groups.select { $0.average(\.$age) }), shape(groups.select { $0.sum(\.$level) }),
      shape(all.grouped(by: \.$level).select { $0.count }),
      shape(all.grouped(by: \.$age, \.$level).select { $0.count }),
      shape(all.grouped(by: \.$level, \.$age).select { $0.count }),
      shape(groups.having { $0.count > 1 }.select { $0.count }),
      shape(groups.having { $0.count < 1 }.select { $0.count }),
      shape(groups.having { $0.sum(\.$age) > 1 }.select { $0.count }),
      shape(groups.order { $0.count }.select { $0.count }),
      shape(groups.order(.descending) { $0.count }.select { $0.count }),
      shape(groups.order { $0.max(\.$name) }.select { $0.count }),
      shape(groups.order { $0.count }.order { $0.max(\.$name) }.select { $0.count }),
      shape(groups.order { $0.max(\.$name) }.order { $0.count }.select { $0.count }),
      shape(groups.limit(1).select { $0.count }),
    ]
    for (index, shape) in shapes.enumerated() {
      #expect(shapes.lastIndex(of: shape) == index)
    }
    #expect(Set(shapes).count == shapes.count)
  }

  @Test func selectionsThatDifferInValuesHaveOneShape() throws {
    let shapes = try [1, 2].map { value in
      try shape(
        MagicQuery(Resident.self).where(\.$age > value).order { $0.$age + value }.limit(value)
          .offset(value).grouped(by: \.$age).having { $0.count > value }
          .order { $0.count + value }.limit(value).select { $0.count + value })
    }
    #expect(shapes[0] == shapes[1])
    #expect(shapes[0].hashValue == shapes[1].hashValue)
  }

  @Test func differentAggregatesHaveDifferentShapes() throws {
    let schema = try ObjectSchema.of(Resident.self)
    let functions: [AggregateFunction] = [.sum, .minimum, .maximum, .average]
    let shapes = try [2, 3].flatMap { column in
      let operand = QueryExpression(
        tree: .column(ColumnPath(scope: .root, type: schema.ordinal, property: column)))
      return try functions.map { function in
        var query = MagicQuery(Resident.self).plan
        query.selection = [.aggregate(function, of: operand)]
        return try PreparedQuery(schema, query, .aggregates).shape
      }
    }
    #expect(Set(shapes).count == shapes.count)
  }

  @Test func shapesWithEqualHashesHaveDifferentStatements() throws {
    let test = try TestStore.ofResidents()
    let schema = try ObjectSchema.of(Resident.self)
    func shape(_ predicate: MagicPredicate<Resident>) -> QueryShape {
      QueryShape(schema, .count, MagicQuery(Resident.self).where(predicate).plan, hash: 7)
    }
    let adults = shape(\.$age >= 18)
    let named = shape(\.$name == "Ada")
    #expect(adults.hashValue == named.hashValue)
    #expect(adults != named)
    #expect(adults == shape(\.$age >= 99))
    try test.store._read { access in
      let connection = try #require(access.reader as? StoreConnection)
      let first = try connection.statement(for: adults) { ("SELECT 1", true, []) }
      let second = try connection.statement(for: named) { ("SELECT 2", true, []) }
      #expect(first !== second)
      let third = try connection.statement(for: shape(\.$age >= 99)) { ("SELECT 3", true, []) }
      #expect(third === first)
      #expect(try connection.statement(for: named) { ("SELECT 4", true, []) } === second)
    }
  }

  @Test func valuesAreBoundInTheOrderOfTheClauses() throws {
    let query = MagicQuery(Resident.self).where { $0.$age.in(3...4) && $0.$name.hasPrefix("a") }
      .order { $0.$age + 5 }.limit(6).offset(7)
    let values = try PreparedQuery(Resident.self, query.plan, .objects).values
    #expect(
      values.map { "\($0)" } == [
        "integer(3)", "integer(4)", #"text("a")"#, #"text("b")"#, "integer(5)", "integer(6)",
        "integer(7)",
      ])
  }

  @Test func valuesOfGroupsAreBoundBeforeThoseOfALimitedPart() throws {
    func values(_ rows: MagicQuery<Resident, MagicUnbound>) throws -> [String] {
      let selection = rows.grouped(by: \.$age).having { $0.count > 5 }.order { $0.count + 6 }
        .limit(7).select { $0.count + 8 }
      return try PreparedQuery(Resident.self, selection.plan, .tuples).values.map { "\($0)" }
    }
    let rows = MagicQuery(Resident.self).where(\.$age > 1).order { $0.$age + 2 }
    #expect(try values(rows) == [8, 1, 5, 6, 7, 2].map { "integer(\($0))" })
    #expect(
      try values(rows.limit(3).offset(4)) == [8, 5, 6, 7, 1, 2, 3, 4].map { "integer(\($0))" })
  }
}
