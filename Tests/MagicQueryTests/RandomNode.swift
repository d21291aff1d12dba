import MagicQuery
import MagicTestSupport

struct RandomPart: MagicalCodable, Equatable {
  var n: Int?
  var s: String?
  var list: [Int] = []
}

/// An object with values that are stored as JSON.
struct RandomNode: MagicObject {
  @OptionMagicValue var n: Int?
  @MagicValue var k: Int = 0
  @OptionMagicValue var s: String?
  @MagicValue var numbers: [Int] = []
  @MagicValue var texts: Set<String> = []
  @OptionMagicValue var reals: [Double]?
  @MagicValue var sizes: [String: Int] = [:]
  @OptionMagicValue var part: RandomPart?
  @MagicValue var parts: [RandomPart] = []

  init() {}
}

/// Objects, and random predicates about their JSON and about other objects.
final class RandomWorld {
  private static let texts = ["", "a", "ab", "b\0", "é", "\"", "\\", "😀"]

  let nodes = (0..<12).map { _ in RandomNode() }
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed)
    for (index, node) in nodes.enumerated() {
      node.n = one(of: [nil, 0, 1, 2])
      node.k = index % 3
      node.s = one(of: [nil, "a", "ab"])
      node.numbers = integers()
      node.texts = Set((0..<number(4)).map { _ in one(of: Self.texts) })
      node.reals = number(3) == 0 ? nil : integers().map { Double($0) / 2 }
      for key in ["a", "b", "\""] where number(2) == 0 { node.sizes[key] = number(4) - 1 }
      node.part = number(3) == 0 ? nil : part()
      node.parts = (0..<number(3)).map { _ in part() }
    }
  }

  func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
  private func one<Value>(of values: [Value]) -> Value { values[number(values.count)] }
  private func integers() -> [Int] { (0..<number(4)).map { _ in number(5) - 1 } }

  private func part() -> RandomPart {
    RandomPart(n: one(of: [nil, 0, 1, 2]), s: one(of: [nil, "a", "é"]), list: integers())
  }

  private func isLess(_ left: Int?, _ right: Int?) -> Bool {
    if let left, let right { left < right } else { false }
  }

  /// A predicate with a maximum depth.
  func question(_ depth: Int) -> Question<RandomNode> {
    guard depth > 0, number(3) > 0 else {
      return number(2) == 0 ? ofJSON(number(16)) : ofNodes(number(12))
    }
    let (left, right) = (question(depth - 1), question(depth - 1))
    let (l, r) = (left.name, right.name)
    return switch number(3) {
    case 0: Question("!(\(l))", { !left.predicate($0) }, { !left.isTrue($0) })
    case 1:
      Question(
        "(\(l) && \(r))", { left.predicate($0) && right.predicate($0) },
        { left.isTrue($0) && right.isTrue($0) })
    default:
      Question(
        "(\(l) || \(r))", { left.predicate($0) || right.predicate($0) },
        { left.isTrue($0) || right.isTrue($0) })
    }
  }

  // MARK: JSON

  private func ofJSON(_ kind: Int) -> Question<RandomNode> {
    let (v, w, text) = (number(4), number(3), one(of: Self.texts))
    return switch kind {
    case 0: Question("numbers has \(v)", { $0.$numbers.contains(v) }, { $0.numbers.contains(v) })
    case 1:
      Question("numbers has > \(v)", { $0.$numbers.contains { $0 > v } }) {
        $0.numbers.contains { $0 > v }
      }
    case 2:
      Question("numbers all < \(v)", { $0.$numbers.allSatisfy { $0 < v } }) {
        $0.numbers.allSatisfy { $0 < v }
      }
    case 3:
      Question("numbers none % 2", { $0.$numbers.none { $0 % 2 == 0 } }) {
        !$0.numbers.contains { $0 % 2 == 0 }
      }
    case 4:
      Question("numbers.count > \(v) == \(w)", { $0.$numbers.count { $0 >= v } == w }) {
        $0.numbers.filter { $0 >= v }.count == w
      }
    case 5:
      Question("texts has", { $0.$texts.contains { $0 == text } }, { $0.texts.contains(text) })
    case 6:
      Question("texts.count", { $0.$texts.allSatisfy { $0.count > 1 || $0.isEmpty } }) {
        $0.texts.allSatisfy { $0.count > 1 || $0.isEmpty }
      }
    case 7:
      Question("reals > 0.5", { $0.$reals.contains { $0 > 0.5 } }) {
        $0.reals?.contains { $0 > 0.5 } ?? false
      }
    case 8: Question("sizes[a]", { $0.$sizes["a"] == v }, { $0.sizes["a"] == v })
    case 9:
      Question("sizes < \(w)", { $0.$sizes.values.contains { $0 < w } }) {
        $0.sizes.values.contains { $0 < w }
      }
    case 10:
      Question("part.n < \(v)", { $0.$part[json: "n", as: Int.self] < v }) {
        self.isLess($0.part?.n, v)
      }
    case 11:
      Question("part.s == s", { $0.$part[json: "s", as: String.self] == $0.$s }) {
        $0.part?.s == $0.s
      }
    case 12:
      Question("part.list", { $0.$part[json: "list", as: [Int].self].contains { $0 * 2 == v } }) {
        $0.part?.list.contains { $0 * 2 == v } ?? false
      }
    case 13:
      Question("parts", { $0.$parts.contains { $0[json: "n", as: Int.self] == w } }) {
        $0.parts.contains { $0.n == w }
      }
    case 14:
      Question("numbers has n", { row in row.$numbers.contains { $0 == row.$n } }) { node in
        node.numbers.contains { $0 == node.n }
      }
    default:
      Question(
        "numbers has a sum",
        { row in row.$numbers.contains { a in row.$numbers.contains { b in a + b == v } } }
      ) { node in
        node.numbers.contains { a in node.numbers.contains { b in a + b == v } }
      }
    }
  }

  // MARK: Subqueries

  private func ofNodes(_ kind: Int) -> Question<RandomNode> {
    let (v, all) = (number(4), MagicQuery(RandomNode.self))
    let nodes = nodes
    func values(_ node: RandomNode) -> [Int] { nodes.filter { $0.k == node.k }.compactMap(\.n) }
    return switch kind {
    case 0:
      Question("exists n < n", { node in all.exists { $0.$n < node.$n } }) { node in
        nodes.contains { self.isLess($0.n, node.n) }
      }
    case 1:
      Question("count k == k", { node in all.count { $0.$k == node.$k && $0.$n == v } > 1 }) {
        node in
        nodes.filter { $0.k == node.k && $0.n == v }.count > 1
      }
    case 2:
      Question("n > average", { $0.$n.as(Double.self) > all.average(\.$k) }) {
        let average = Double(nodes.map(\.k).reduce(0, +)) / Double(nodes.count)
        return $0.n.map { Double($0) > average } ?? false
      }
    case 3:
      Question("sum of k", { node in all.where { $0.$k == node.$k }.sum(\.$n) > v }) {
        values($0).reduce(0, +) > v
      }
    case 4:
      Question("n == max", { node in node.$n == all.where { $0.$k == node.$k }.max(\.$n) }) {
        $0.n == values($0).max()
      }
    case 5:
      Question(
        "distinct", { node in all.where { $0.$k == node.$k }.count(distinct: \.$n) == v }
      ) { Set(values($0)).count == v }
    case 6:
      Question("n in", { $0.$n.in(all.where(\.$k == v).select(\.$n)) }) { node in
        node.n.map { n in nodes.contains { $0.k == v && $0.n == n } } ?? false
      }
    case 7:
      Question(
        "first",
        { node in
          all.order(by: \.$k, .descending).where { $0.$n == node.$n }.limit(1).select(\.$k).first()
            == v
        }
      ) { node in nodes.filter { $0.n == node.n }.map(\.k).max() == v }
    case 8:
      Question(
        "elements of others",
        { node in all.exists { $0.$numbers.contains { $0 == node.$k.outer() } && $0.$n == v } }
      ) { node in nodes.contains { $0.numbers.contains(node.k) && $0.n == v } }
    case 9:
      Question(
        "others of elements",
        { node in
          node.$numbers.contains { number in all.exists { $0.$n == number && $0.$k == v } }
        }
      ) { node in
        node.numbers.contains { number in nodes.contains { $0.n == number && $0.k == v } }
      }
    case 10:
      Question(
        "nested",
        { a in
          all.exists { b in b.$k == a.$k && !all.exists { c in c.$n > b.$n && c.$k == a.$k } }
        }
      ) { a in
        nodes.contains { b in
          b.k == a.k && !nodes.contains { c in self.isLess(b.n, c.n) && c.k == a.k }
        }
      }
    default:
      Question("two limited", { _ in all.order(by: \.$k).limit(v).sum(\.$k) == 0 }) { _ in
        nodes.map(\.k).sorted().prefix(v).reduce(0, +) == 0
      }
    }
  }
}
