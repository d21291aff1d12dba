import EngineConformance
import MagicData
import MagicQuery
import MagicTestSupport
import Testing

/// Random combinations of random queries find the rows that sets in Swift have, and so do their pages.
@Suite(.everyEngine) struct RandomSetTests {
  /// A query, and the rows that it finds.
  private typealias Part = (query: MagicQuery<PredicateNode, MagicUnbound>, rows: Set<ZIndex>)

  private var random = SeededRandom(0)

  init() {}

  private mutating func part(of world: PredicateWorld) -> Part {
    let question = world.question(2)
    let query = MagicQuery(PredicateNode.self).where(question.predicate)
    let found = world.nodes.filter(question.isTrue)
    guard Bool.random(using: &random) else { return (query, Set(found.compactMap(\.zIndex))) }
    let (limit, offset) = (
      Int.random(in: 0...6, using: &random), Int.random(in: 0...2, using: &random)
    )
    let isDescending = Bool.random(using: &random)
    let sorted = found.sorted { left, right in
      guard left.k == right.k else { return (left.k < right.k) != isDescending }
      return (left.zIndex?.rawValue ?? 0) < (right.zIndex?.rawValue ?? 0)
    }
    return (
      query.order(isDescending ? .descending : .ascending) { $0.$k * 3 }.limit(limit).offset(
        offset),
      Set(sorted.dropFirst(offset).prefix(limit).compactMap(\.zIndex))
    )
  }

  private mutating func combination(of world: PredicateWorld) -> Part {
    var (query, rows) = part(of: world)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let other = part(of: world)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: (query, rows) = (query.union(other.query), rows.union(other.rows))
      case 1: (query, rows) = (query.intersect(other.query), rows.intersection(other.rows))
      default: (query, rows) = (query.except(other.query), rows.subtracting(other.rows))
      }
    }
    return (query, rows)
  }

  @Test(arguments: 1...3)
  mutating func randomCombinationsFindTheRowsOfSets(_ seed: UInt64) throws {
    random = SeededRandom(seed)
    let test = try TestStore()
    let world = PredicateWorld(seed: seed)
    try test.store.update(contentsOf: world.nodes)
    try test.store.update(contentsOf: world.leaves)
    for _ in 0..<60 {
      let (query, rows) = combination(of: world)
      let bound = query.bound(to: test.store)
      let found = try bound.select { $0.zIndex }.all()
      let sql = try query.sql
      try #require(found.sorted() == rows.sorted(), "\(sql)")
      try #require(try bound.count() == rows.count, "\(sql)")
      let ordered = bound.order(by: \.$s, .descending).order(by: \.$r)
      let all = try ordered.all().map(\.zIndex)
      var pages: [ZIndex?] = []
      var cursor: MagicCursor?
      repeat {
        let page = try ordered.page(after: cursor, limit: 3)
        pages += page.objects.map(\.zIndex)
        cursor = page.next
      } while cursor != nil
      try #require(pages == all, "\(sql)")
    }
  }
}
