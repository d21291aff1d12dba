import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

private struct Passage: MagicObject {
  @PrimaryMagicValue var id: Int
  @OptionMagicValue var embedding: MagicVector?
  @MagicValue var group: Int = 0

  init() {}
  init(_ id: Int, _ embedding: MagicVector?, group: Int = 0) {
    (self.id, self.embedding, self.group) = (id, embedding, group)
  }
}

private struct Cell: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var place: MagicVector = [0, 0]
  @OptionMagicValue var passage: Passage?

  init() {}
}

/// Vectors as values of properties.
@Suite(.everyEngine, .requires(.queries)) struct VectorTests {
  private func open() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  @Test func fetchedVectorsEqualTheSavedOnes() async throws {
    let magic = try await open()
    let vectors: [MagicVector?] = [
      [1, -2.5, .leastNonzeroMagnitude], [], nil, [.infinity, -.infinity, -0.0],
      MagicVector((0..<3_000).map { Float($0) / 7 }),
    ]
    try await magic.update(contentsOf: vectors.enumerated().map { Passage($0 + 1, $1) })
    let found = try await magic.query(Passage.self).order(by: \.$id).all().map(\.embedding)
    #expect(found == vectors)
    let cell = Cell()
    cell.id = 1
    try await magic.update(cell)
    #expect(try await magic.object(of: Cell.self, primary: 1).place == [0, 0])
  }

  @Test func aChangeOfAnElementIsSaved() async throws {
    let magic = try await open()
    try await magic.update(Passage(1, [1, 2]))
    let passage = try await magic.object(of: Passage.self, primary: 1)
    passage.embedding?.elements[1] = 3
    try await magic.update(passage)
    #expect(try await magic.object(of: Passage.self, primary: 1).embedding == [1, 3])
    #expect(try await magic.query(Passage.self).where(\.$embedding == [1, 3]).count() == 1)
  }

  @Test func aVectorWithNaNIsRefused() async throws {
    let magic = try await open()
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(Passage(1, [1, .nan]))
    }
    #expect(error?.code == .cannotEncode)
    #expect(error?.property == "embedding")
    #expect(try await magic.query(Passage.self).count() == 0)
  }

  @Test func aVectorIsEncodedAsAnArray() throws {
    let json = try JSONEncoder().encode([MagicVector([1, 2.5])])
    #expect(String(decoding: json, as: UTF8.self) == "[[1,2.5]]")
    #expect(try JSONDecoder().decode([MagicVector].self, from: json) == [[1, 2.5]])
    #expect(MagicVector([Double](repeating: 0.5, count: 2)) == [0.5, 0.5])
  }
}

/// Distances of vectors.
@Suite(.everyEngine, .requires(.queries)) struct DistanceTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func filled(_ vectors: [MagicVector?]) async throws -> MagicData {
    try await filled(vectors, open())
  }

  private func filled(_ vectors: [MagicVector?], _ magic: MagicData) async throws -> MagicData {
    try await magic.update(contentsOf: vectors.enumerated().map { Passage($0 + 1, $1) })
    return magic
  }

  /// The distance in double precision.
  private func distance(
    _ left: [Float], _ right: [Float], _ metric: MagicVectorMetric
  ) -> Double {
    func dot(_ left: [Float], _ right: [Float]) -> Double {
      zip(left, right).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    switch metric {
    case .euclidean:
      return zip(left, right).reduce(0) { $0 + pow(Double($1.0) - Double($1.1), 2) }.squareRoot()
    case .cosine:
      return 1 - dot(left, right) / (dot(left, left) * dot(right, right)).squareRoot()
    case .dotProduct: return -dot(left, right)
    }
  }

  /// Each length up to 40 has another remainder after the numbers that are computed together.
  @Test(arguments: MagicVectorMetric.allCases)
  func distancesAreThoseOfThePlainFormula(_ metric: MagicVectorMetric) async throws {
    var random = SeededRandom(384)
    for count in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 40, 384] {
      let vectors = (0..<4).map { _ in
        (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
      }
      let magic = try await open()
      try await magic.update(contentsOf: vectors.enumerated().map { Passage($0 + 1, .init($1)) })
      let target = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
      let found = try await magic.query(Passage.self).order(by: \.$id)
        .select { $0.$embedding.distance(to: MagicVector(target), metric) }.all()
      for (found, vector) in zip(found, vectors) {
        #expect(abs(found - distance(vector, target, metric)) < 1e-4)
      }
      await magic.close()
    }
  }

  @Test func theNearestRowsAreFirstAndRowsWithoutDistanceLast() async throws {
    let magic = try await filled([[9, 9], nil, [1, 2], [1], [], [1, 1], [1, 2, 3]])
    let nearest = magic.query(Passage.self).order(nearest: .distance(\.$embedding, to: [1, 1]))
    #expect(try await nearest.all().map(\.id) == [6, 3, 1, 2, 4, 5, 7])
    #expect(try await nearest.limit(2).all().map(\.id) == [6, 3])
    #expect(try await nearest.limit(2).offset(1).all().map(\.id) == [3, 1])
    let distances = try await nearest.select { $0.$embedding.distance(to: [1, 1]) }.all()
    #expect(distances.prefix(2) == [0, 1])
    #expect(distances.suffix(4).allSatisfy { $0 == .infinity })
  }

  @Test func distancesAreConditionsAndReachAcrossRelationships() async throws {
    let magic = try await filled([[3, 4], [0, 0], nil])
    let near = magic.query(Passage.self).where { $0.$embedding.distance(to: [0, 0]) <= 5 }
    #expect(Set(try await near.all().map(\.id)) == [1, 2])
    #expect(
      try await magic.query(Passage.self).where { $0.$embedding.distance(to: [0, 0]) < 5 }.count()
        == 1)
    let cell = Cell()
    cell.id = 1
    cell.passage = try await magic.object(of: Passage.self, primary: 1)
    try await magic.update(cell)
    let cells = magic.query(Cell.self)
    #expect(try await cells.select { $0.$place.distance(to: [1, 0]) }.all() == [1])
    #expect(try await cells.select { $0.$passage.$embedding.distance(to: [3, 0]) }.all() == [4])
  }

  @Test func aVectorOfZerosHasNoDirection() async throws {
    let magic = try await filled([[0, 0], [2, 0], [-3, 0], [0, 5]])
    let cosines = try await magic.query(Passage.self).order(by: \.$id)
      .select { $0.$embedding.distance(to: [1, 0], .cosine) }.all()
    #expect(cosines == [.infinity, 0, 2, 1])
    let products = try await magic.query(Passage.self).order(by: \.$id)
      .select { $0.$embedding.distance(to: [1, 0], .dotProduct) }.all()
    #expect(products == [0, -2, 3, 0])
  }

  @Test func overflowIsInfinite() async throws {
    let large = Float.greatestFiniteMagnitude
    let magic = try await filled([[large, -large], [.infinity, 0]])
    for metric in MagicVectorMetric.allCases {
      let found = try await magic.query(Passage.self)
        .select { $0.$embedding.distance(to: [-large, large], metric) }.all()
      #expect(found.allSatisfy { !$0.isNaN })
    }
  }

  /// The squares of these numbers are outside of the range of `Float`, in sums of 16 numbers and in the
  /// rest.
  @Test(arguments: [1e25, 3e-30], [2, 18])
  func distancesOfVeryLargeAndVerySmallNumbersAreThoseOfThePlainFormula(
    _ scale: Float, _ count: Int
  ) async throws {
    let vectors = (1...3).map { row in (0..<count).map { Float(row + $0 % 3) * scale } }
    let target = (0..<count).map { Float($0 % 2 + 1) * scale }
    let magic = try await filled(vectors.map { MagicVector($0) })
    for metric in MagicVectorMetric.allCases {
      let found = try await magic.query(Passage.self).order(by: \.$id)
        .select { $0.$embedding.distance(to: MagicVector(target), metric) }.all()
      for (found, vector) in zip(found, vectors) {
        let expected = distance(vector, target, metric)
        #expect(
          abs(found - expected) <= abs(expected) * 1e-5 + 1e-12 * (metric == .cosine ? 1e6 : 0))
      }
    }
    let nearest = magic.query(Passage.self)
      .order(nearest: .distance(\.$embedding, to: MagicVector(vectors[2])))
    #expect(try await nearest.all().map(\.id) == [3, 2, 1])
  }

  @Test func aQueryVectorMustHaveNumbers() async throws {
    let magic = try await filled([[1]])
    let query = magic.query(Passage.self)
    let empty = await #expect(throws: MagicError.self) {
      try await query.order(nearest: .distance(\.$embedding, to: [])).all()
    }
    #expect(empty?.code == .invalidQuery)
    let invalid = await #expect(throws: MagicError.self) {
      try await query.where { $0.$embedding.distance(to: [.nan]) < 1 }.all()
    }
    #expect(invalid?.code == .cannotEncode)
  }

  @Test(.requires(.files)) func otherValuesInTheColumnAreInfinitelyFar() async throws {
    let magic = try await filled(
      [[1, 1], [2, 2], [3, 3], [4, 4]], MagicData(path: scratch.file()))
    await magic.close()
    let raw = try scratch.raw()
    try raw.execute("UPDATE Passage SET embedding = x'0000803F00' WHERE id = 1")
    try raw.execute("UPDATE Passage SET embedding = 'text' WHERE id = 2")
    try raw.execute("UPDATE Passage SET embedding = x'0000C07F0000C07F' WHERE id = 3")
    let reopened = try await MagicData(path: scratch.file())
    let query = reopened.query(Passage.self)
    #expect(
      try await query.order(by: \.$id)
        .select { $0.$embedding.distance(to: [4, 4]) }.all() == [
          .infinity, .infinity, .infinity, 0,
        ]
    )
    #expect(try await query.where(\.$id == 3).first()?.embedding?.elements.first?.isNaN == true)
    let error = await #expect(throws: MagicError.self) { try await query.where(\.$id == 1).all() }
    #expect(error?.code == .cannotDecode)
    await reopened.close()
  }

  @Test func pagesFollowTheDistances() async throws {
    let magic = try await filled((0..<20).map { [Float($0 * 7 % 20), 0] })
    let query = magic.query(Passage.self).order(nearest: .distance(\.$embedding, to: [0, 0]))
    let first = try await query.page(limit: 12)
    let second = try await query.page(after: first.next, limit: 12)
    #expect((first.objects + second.objects).map(\.id) == (try await query.all().map(\.id)))
    #expect(second.next == nil)
  }

  @Test(.requires(.statements)) func aLimitedQueryReadsTheTableOnce() async throws {
    let magic = try await filled([[1, 1]])
    let plan = try await magic.query(Passage.self)
      .order(nearest: .distance(\.$embedding, to: [1, 1])).limit(5).explain()
    #expect("\(plan)".components(separatedBy: "SCAN ").count == 2, "\(plan)")
    #expect(plan.steps.contains { $0.usesTemporaryTree })
  }

  /// The distances of the other rows are computed once, for the order.
  @Test func aSelectedDistanceIsComputedForTheNearestRowsOnly() async throws {
    let magic = try await filled((0..<50).map { [Float($0 * 7 % 50), 0] })
    try await magic.update(Passage(51, [1, 0], group: 1))
    let nearest = magic.query(Passage.self).where(\.$group == 0)
      .order(nearest: .distance(\.$embedding, to: [1, 0])).order(by: \.$id, .descending)
    let pairs = try await nearest.limit(3).offset(1)
      .select { ($0.$id, $0.$embedding.distance(to: [1, 0])) }.all()
    let all = try await nearest.select { ($0.$id, $0.$embedding.distance(to: [1, 0])) }.all()
    #expect(all.count == 50)
    #expect(pairs.map(\.0) == all[1..<4].map(\.0))
    #expect(pairs.map(\.1) == [1, 1, 2])
    #expect(try await nearest.limit(3).offset(1).all().map(\.id) == pairs.map(\.0))
    guard TestedEngine.current.has(.statements) else { return }
    let plan = try await nearest.limit(3)
      .select { ($0.$id, $0.$embedding.distance(to: [1, 0])) }.explain()
    #expect("\(plan)".components(separatedBy: "SCAN ").count == 2, "\(plan)")
    #expect(plan.steps.filter { $0.access == .search }.count == 1, "\(plan)")
  }

  @Test func aWindowBesideADistanceIncludesTheOtherRows() async throws {
    let magic = try await filled([[3, 0], [1, 0], [2, 0]])
    let ranked = try await magic.query(Passage.self)
      .order(nearest: .distance(\.$embedding, to: [0, 0])).limit(2)
      .select { ($0.$id, $0.rank(over: .order(by: $0.$id))) }.all()
    #expect(ranked.map(\.0) == [2, 3])
    #expect(ranked.map(\.1) == [2, 3])
  }

  @Test func theNearestOfEachGroupAreFound() async throws {
    let magic = try await open()
    try await magic.update(
      contentsOf: (1...9).map { Passage($0, [Float($0), 0], group: $0 % 3) })
    let nearest = try await magic.query(Passage.self)
      .top(1) { .partition(by: $0.$group).order(by: $0.$embedding.distance(to: [10, 0])) }.all()
    #expect(Set(nearest.map(\.id)) == [7, 8, 9])
  }

  @Test(.requires(.files)) func theFileDescribesTheVector() async throws {
    let magic = try await filled([[1, 2]], MagicData(path: scratch.file()))
    await magic.close()
    let raw = try scratch.raw()
    #expect(
      try raw.text(
        "SELECT form FROM magic_columns WHERE table_name = 'Passage' AND property = 'embedding'")
        == "vector")
    #expect(
      try raw.text("SELECT hex(embedding) FROM Passage") == "0000803F00000040")
  }
}
