import EngineConformance
import MagicQuery
import Testing

struct Score: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue var team: String?
  @MagicValue var points: Int = 0
  @OptionMagicValue var bonus: Int?
  @OptionMagicValue var rival: Score?

  init() {}

  init(_ name: String, _ team: String?, _ points: Int, bonus: Int? = nil) {
    self.name = name
    self.team = team
    self.points = points
    self.bonus = bonus
  }
}

struct Placed: Equatable {
  var name: String
  var place: Int
}

/// Seven scores of two teams and of no team.
struct Scores {
  let test: TestStore

  var all: MagicQuery<Score, MagicObjectStore> { test.store.query(Score.self) }
  var byID: MagicQuery<Score, MagicObjectStore> { all.order { $0.zIndex } }

  init() throws {
    test = try TestStore()
    let scores = [
      Score("Ada", "red", 10), Score("Ben", "red", 20, bonus: 3),
      Score("Cleo", "red", 20, bonus: 1),
      Score("Dora", "red", 5), Score("Eve", "blue", 7, bonus: 2), Score("Finn", "blue", 7),
      Score("Gus", nil, 1, bonus: 4),
    ]
    try test.store.update(contentsOf: scores)
    scores[0].rival = scores[4]
    scores[1].rival = scores[5]
    try test.store.update(contentsOf: scores)
  }
}

/// Functions over windows of rows.
@Suite(.everyEngine) struct WindowTests {
  private let scores: Scores

  init() throws { scores = try Scores() }

  @Test func ranksNumberTheRowsOfAPartition() throws {
    let ranks = try scores.byID.select {
      (
        $0.$name, $0.rank(over: .partition(by: $0.$team).order(by: $0.$points, .descending)),
        $0.denseRank(over: .partition(by: $0.$team).order(by: $0.$points, .descending)),
        $0.rowNumber(over: .partition(by: $0.$team).order(by: $0.$points, .descending))
      )
    }
    .all()
    #expect(ranks.map(\.0) == ["Ada", "Ben", "Cleo", "Dora", "Eve", "Finn", "Gus"])
    #expect(ranks.map(\.1) == [3, 1, 1, 4, 1, 1, 1])
    #expect(ranks.map(\.2) == [2, 1, 1, 3, 1, 1, 1])
    #expect(ranks.map(\.3) == [3, 1, 2, 4, 1, 2, 1])
  }

  @Test func nilIsSortedFirstOrLastIfTheOrderIsDescending() throws {
    let numbers = try scores.byID.select {
      ($0.rowNumber(over: .order(by: $0.$bonus)), $0.rank(over: .order(by: $0.$bonus, .descending)))
    }
    .all()
    #expect(numbers.map(\.0) == [1, 6, 4, 2, 5, 3, 7])
    #expect(numbers.map(\.1) == [5, 2, 4, 5, 3, 5, 1])
  }

  @Test func severalKeysAndOrdersApplyInTheirOrder() throws {
    let numbers = try scores.byID.select {
      (
        $0.rowNumber(over: .order(by: $0.$points, .descending).order(by: $0.$name, .descending)),
        $0.rank(over: .partition(by: $0.$team, $0.$points).order(by: $0.$name)),
        $0.rank(over: .all), $0.rowNumber(over: .all)
      )
    }
    .all()
    #expect(numbers.map(\.0) == [3, 2, 1, 6, 5, 4, 7])
    #expect(numbers.map(\.1) == [1, 1, 2, 1, 1, 2, 1])
    #expect(numbers.map(\.2) == [1, 1, 1, 1, 1, 1, 1])
    #expect(numbers.map(\.3) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func ntileDividesTheRowsIntoEqualParts() throws {
    let parts = try scores.byID.select {
      ($0.ntile(3, over: .order(by: $0.$name)), $0.ntile(20, over: .order(by: $0.$name)))
    }
    .all()
    #expect(parts.map(\.0) == [1, 1, 1, 2, 2, 3, 3])
    #expect(parts.map(\.1) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func lagAndLeadAreTheValuesOfOtherRows() throws {
    let values = try scores.byID.select {
      (
        $0.$points.lag(over: .order(by: $0.$name)), $0.$bonus.lead(2, over: .order(by: $0.$name)),
        $0.$name.lag(0, over: .all), $0.$name.lead(over: .partition(by: $0.$team)),
        $0.$points - ($0.$points.lag(over: .order(by: $0.$name)) ?? 0)
      )
    }
    .all()
    #expect(values.map(\.0) == [nil, 10, 20, 20, 5, 7, 7])
    #expect(values.map(\.1) == [1, nil, 2, nil, 4, nil, nil])
    #expect(values.map(\.2) == ["Ada", "Ben", "Cleo", "Dora", "Eve", "Finn", "Gus"])
    #expect(values.map(\.3) == ["Ben", "Cleo", "Dora", nil, "Finn", nil, nil])
    #expect(values.map(\.4) == [10, 10, 0, -15, 2, 0, -6])
  }

  @Test func firstAndLastValuesAreThoseOfThePartitionOrFrame() throws {
    let values = try scores.byID.select {
      (
        $0.$name.firstValue(over: .partition(by: $0.$team).order(by: $0.$points)),
        $0.$name.lastValue(over: .partition(by: $0.$team).order(by: $0.$points)),
        $0.$bonus.lastValue(over: .order(by: $0.$name).rows(...0)),
        $0.$name.firstValue(over: .order(by: $0.$name).rows(2...3))
      )
    }
    .all()
    #expect(values.map(\.0) == ["Dora", "Dora", "Dora", "Dora", "Eve", "Eve", "Gus"])
    #expect(values.map(\.1) == ["Cleo", "Cleo", "Cleo", "Cleo", "Finn", "Finn", "Gus"])
    #expect(values.map(\.2) == [nil, 3, 1, nil, 2, nil, 4])
    #expect(values.map(\.3) == ["Cleo", "Dora", "Eve", "Finn", "Gus", nil, nil])
  }

  @Test func anOrderedAggregateIsComputedUpToTheCurrentRow() throws {
    let sums = try scores.byID.select {
      (
        $0.$points.sum(over: .order(by: $0.$points)),
        $0.$bonus.sum(over: .partition(by: $0.$team).order(by: $0.$name)),
        $0.$points.sum(over: .partition(by: $0.$team)),
        $0.count(over: .partition(by: $0.$team).order(by: $0.$name, .descending)),
        $0.$bonus.max(over: .order(by: $0.$name)), $0.$points.min(over: .order(by: $0.$name))
      )
    }
    .all()
    #expect(sums.map(\.0) == [30, 50, 70, 6, 13, 20, 1])
    #expect(sums.map(\.1) == [0, 3, 4, 4, 2, 2, 4])
    #expect(sums.map(\.2) == [55, 55, 55, 55, 14, 14, 1])
    #expect(sums.map(\.3) == [4, 3, 2, 1, 2, 1, 1])
    #expect(sums.map(\.4) == [nil, 3, 3, 3, 3, 3, 4])
    #expect(sums.map(\.5) == [10, 10, 10, 5, 5, 5, 1])
  }

  @Test func aFrameRestrictsTheRowsOfAnAggregate() throws {
    let frames = try scores.byID.select {
      (
        $0.$points.sum(over: .order(by: $0.$name).rows(-1...1)),
        $0.$points.average(over: .order(by: $0.$name).rows(-1...0)),
        $0.$points.sum(over: .order(by: $0.$name).rows(1...)),
        $0.$points.max(over: .order(by: $0.$name).rows(...(-1))),
        $0.count(over: .order(by: $0.$name).rows(-3 ... -2)),
        $0.$bonus.average(over: .order(by: $0.$name).rows(0...0))
      )
    }
    .all()
    #expect(frames.map(\.0) == [30, 50, 45, 32, 19, 15, 8])
    #expect(frames.map(\.1) == [10, 15, 20, 12.5, 6, 7, 4])
    #expect(frames.map(\.2) == [60, 40, 20, 15, 8, 1, 0])
    #expect(frames.map(\.3) == [nil, 10, 20, 20, 20, 20, 20])
    #expect(frames.map(\.4) == [0, 0, 1, 2, 2, 2, 2])
    #expect(frames.map(\.5) == [nil, 3, 1, nil, 2, nil, 4])
  }

  @Test func aWindowIsPartOfAnExpression() throws {
    let shares = try scores.byID.where { $0.$team == "red" }.select {
      $0.$points.as(Double.self) / $0.$points.as(Double.self).sum(over: .all)
    }
    .all()
    #expect(shares.map { ($0 * 55).rounded() } == [10, 20, 20, 5])
    for factor in 2...3 {
      let sums = try scores.byID.select {
        ($0.$points * factor).sum(over: .partition(by: $0.$points > factor * 2))
      }
      .all()
      let large = [10, 20, 20, 5, 7, 7, 1].filter { $0 > factor * 2 }.reduce(0, +) * factor
      let small = 70 * factor - large
      let isLarge = [10, 20, 20, 5, 7, 7, 1].map { $0 > factor * 2 }
      #expect(sums == isLarge.map { $0 ? large : small })
    }
  }

  @Test func aWindowReachesRelatedRows() throws {
    let names = try scores.byID.select {
      ($0.$name, $0.rowNumber(over: .partition(by: $0.$rival.$team).order(by: $0.$rival.$name)))
    }
    .limit(3).all()
    #expect(names.map(\.0) == ["Ada", "Ben", "Cleo"])
    #expect(names.map(\.1) == [1, 2, 1])
  }

  @Test func aLimitAppliesAfterTheWindow() throws {
    let query = scores.all.order(by: \.$name).limit(2).offset(1)
      .select { ($0.$name, $0.count(over: .all)) }
    #expect(try query.all().map(\.1) == [7, 7])
    #expect(try query.all().map(\.0) == ["Ben", "Cleo"])
    #expect(try query.count() == 2)
    #expect(try query.first()?.1 == 7)
    let sizes = scores.all.where { $0.$points < 10 }
      .select { $0.count(over: .partition(by: $0.$team)) }.distinct()
    #expect(try sizes.all().sorted() == [1, 2])
    #expect(try sizes.count() == 2)
    #expect(try scores.all.where { $0.$points < 10 }.select { $0.rank(over: .all) }.count() == 4)
  }

  @Test func aSelectionIntoATypeContainsWindows() throws {
    let placed = try scores.all
      .order { $0.rowNumber(over: .order(by: $0.$points, .descending)) }
      .limit(2)
      .select(into: Placed.init) { ($0.$name, $0.rank(over: .order(by: $0.$points, .descending))) }
      .all()
    #expect(placed == [Placed(name: "Ben", place: 1), Placed(name: "Cleo", place: 1)])
  }

  @Test func rowsAreOrderedByAWindow() throws {
    let selected = try scores.all.select(\.$name)
      .order(.descending) { $0.count(over: .partition(by: $0.$team)) }
      .order { $0.rank(over: .order(by: $0.$points)) }
      .all()
    #expect(selected == ["Dora", "Ada", "Ben", "Cleo", "Eve", "Finn", "Gus"])
    let query = scores.all.order { $0.denseRank(over: .order(by: $0.$points, .descending)) }
    #expect(try query.all().map(\.name) == ["Ben", "Cleo", "Ada", "Eve", "Finn", "Dora", "Gus"])
    #expect(try query.first()?.name == "Ben")
    #expect(try query.count() == 7)
    #expect(try query.exists())
  }

  @Test func windowsOfNoRowsAreEmpty() throws {
    #expect(
      try scores.all.where { $0.$points > 99 }.select { $0.rank(over: .all) }.all().isEmpty)
    let empty = try TestStore()
    #expect(try empty.store.query(Score.self).select { $0.rank(over: .all) }.all().isEmpty)
  }
}
