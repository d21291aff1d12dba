import Foundation
import MagicQuery
import MagicTestSupport

/// The same computation for the database and for Swift.
struct Formula<Value> {
  let name: String
  let expression: (MagicRow<PredicateNode>) -> MagicExpression<PredicateNode, Value>
  let value: (PredicateNode) -> Value

  init(
    _ name: String,
    _ expression: @escaping (MagicRow<PredicateNode>) -> MagicExpression<PredicateNode, Value>,
    _ value: @escaping (PredicateNode) -> Value
  ) {
    (self.name, self.expression, self.value) = (name, expression, value)
  }
}

/// Random computations with numbers and texts that may be nil.
struct FormulaWorld {
  let world: PredicateWorld
  private var random: SeededRandom

  init(seed: UInt64) {
    world = PredicateWorld(seed: seed)
    random = SeededRandom(seed &+ 1_000)
  }

  private mutating func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

  mutating func integer(_ depth: Int) -> Formula<Int?> {
    guard depth > 0 else {
      return switch number(4) {
      case 0: Formula("sizes[a]", { $0.$sizes["a"] }, { $0.sizes["a"] })
      case 1: Formula("next.sizes[é]", { $0.$next.$sizes["é\""] }, { $0.next?.sizes["é\""] })
      case 2: Formula("n", { $0.$n }, { $0.n })
      default: Formula("next.k", { $0.$next.$k }, { $0.next?.k })
      }
    }
    let (kind, constant) = (number(15), number(4))
    let a = integer(depth - 1)
    switch kind {
    case 0..<6: return integers(kind, a, integer(depth - 1))
    case 6:
      return Formula("(\(constant) - \(a.name))", { constant - a.expression($0) }) {
        a.value($0).map { constant - $0 }
      }
    case 7:
      return Formula("(\(a.name) % \(constant + 2))", { a.expression($0) % (constant + 2) }) {
        a.value($0).map { $0 % (constant + 2) }
      }
    case 8:
      return Formula("abs(\(a.name))", { abs(a.expression($0)) }) { a.value($0).map { abs($0) } }
    case 9:
      let text = text(depth - 1)
      return Formula("\(text.name).count", { text.expression($0).count }) { text.value($0)?.count }
    case 10:
      let real = real(depth - 1)
      return Formula("\(real.name).as(Int)", { real.expression($0).as(Int.self) }) {
        real.value($0).map { Int($0) }
      }
    case 11:
      let (b, question) = (integer(depth - 1), world.question(1))
      return Formula("(\(question.name) ? \(a.name) : \(b.name))") {
        .when(question.predicate($0), then: a.expression($0), else: b.expression($0))
      } _: {
        question.isTrue($0) ? a.value($0) : b.value($0)
      }
    case 12, 13: return subquery(a, world.question(1))
    default:
      return Formula("-\(a.name)", { -a.expression($0) }) { a.value($0).map { -$0 } }
    }
  }

  /// An aggregate of the nodes that have the same `k`.
  private mutating func subquery(
    _ operand: Formula<Int?>, _ question: Question<PredicateNode>
  ) -> Formula<Int?> {
    let (nodes, kind) = (world.nodes, number(4))
    let name = "nodes(\(question.name)) \(kind) of \(operand.name)"
    return Formula(name) { row in
      let query = MagicQuery(PredicateNode.self).where { $0.$k == row.$k }
        .where(question.predicate)
      return switch kind {
      case 0: query.max(operand.expression)
      case 1: query.min(operand.expression)
      case 2: MagicExpression(query.sum(operand.expression), as: Int?.self)
      default: MagicExpression(query.count(), as: Int?.self)
      }
    } _: { node in
      let found = nodes.filter { $0.k == node.k && question.isTrue($0) }
      let values = found.compactMap(operand.value)
      return switch kind {
      case 0: values.max()
      case 1: values.min()
      case 2: values.reduce(0, +)
      default: found.count
      }
    }
  }

  private func integers(_ kind: Int, _ a: Formula<Int?>, _ b: Formula<Int?>) -> Formula<Int?> {
    func both(_ node: PredicateNode, _ body: (Int, Int) -> Int?) -> Int? {
      guard let left = a.value(node), let right = b.value(node) else { return nil }
      return body(left, right)
    }
    let (x, y) = (a.expression, b.expression)
    return switch kind {
    case 0: Formula("(\(a.name) + \(b.name))", { x($0) + y($0) }) { both($0) { $0 + $1 } }
    case 1: Formula("(\(a.name) - \(b.name))", { x($0) - y($0) }) { both($0) { $0 - $1 } }
    case 2: Formula("(\(a.name) * \(b.name))", { x($0) * y($0) }) { both($0) { $0 * $1 } }
    case 3:
      Formula("(\(a.name) / \(b.name))", { x($0) / y($0) }) { both($0) { $1 == 0 ? nil : $0 / $1 } }
    case 4:
      Formula("(\(a.name) % \(b.name))", { x($0) % y($0) }) { both($0) { $1 == 0 ? nil : $0 % $1 } }
    default: Formula("(\(a.name) ?? \(b.name))", { x($0) ?? y($0) }) { a.value($0) ?? b.value($0) }
    }
  }

  mutating func real(_ depth: Int) -> Formula<Double?> {
    guard depth > 0 else { return Formula("r", { $0.$r }, { $0.r }) }
    let kind = number(8)
    if kind == 0 {
      let n = integer(depth - 1)
      return Formula("\(n.name).as(Double)", { n.expression($0).as(Double.self) }) {
        n.value($0).map { Double($0) }
      }
    }
    let (a, b) = (real(depth - 1), real(depth - 1))
    let (x, y) = (a.expression, b.expression)
    func both(_ node: PredicateNode, _ body: (Double, Double) -> Double?) -> Double? {
      guard let left = a.value(node), let right = b.value(node) else { return nil }
      return body(left, right)
    }
    return switch kind {
    case 1: Formula("(\(a.name) + \(b.name))", { x($0) + y($0) }) { both($0) { $0 + $1 } }
    case 2: Formula("(\(a.name) - \(b.name))", { x($0) - y($0) }) { both($0) { $0 - $1 } }
    case 3: Formula("(\(a.name) * \(b.name))", { x($0) * y($0) }) { both($0) { $0 * $1 } }
    case 4:
      Formula("(\(a.name) / \(b.name))", { x($0) / y($0) }) { both($0) { $1 == 0 ? nil : $0 / $1 } }
    case 5: Formula("\(a.name).rounded()", { x($0).rounded() }) { a.value($0)?.rounded() }
    case 6: Formula("(0.75 - \(a.name))", { 0.75 - x($0) }) { a.value($0).map { 0.75 - $0 } }
    default: Formula("(\(a.name) ?? \(b.name))", { x($0) ?? y($0) }) { a.value($0) ?? b.value($0) }
    }
  }

  mutating func text(_ depth: Int) -> Formula<String?> {
    guard depth > 0 else {
      return switch number(3) {
      case 0: Formula("notes[s]", { $0.$notes["s"] }, { $0.notes?["s"] })
      case 1: Formula("s", { $0.$s }, { $0.s })
      default: Formula("next.s", { $0.$next.$s }, { $0.next?.s })
      }
    }
    let (a, b, count) = (text(depth - 1), text(depth - 1), number(4))
    let (x, y) = (a.expression, b.expression)
    return switch number(8) {
    case 0:
      Formula("(\(a.name) + \(b.name))", { x($0) + y($0) }) { node in
        a.value(node).flatMap { left in b.value(node).map { left + $0 } }
      }
    case 1: Formula("(' É' + \(a.name))", { " É" + x($0) }) { a.value($0).map { " É" + $0 } }
    case 2: Formula("\(a.name).lowercased()", { x($0).lowercased() }) { a.value($0)?.lowercased() }
    case 3: Formula("\(a.name).uppercased()", { x($0).uppercased() }) { a.value($0)?.uppercased() }
    case 4:
      Formula("\(a.name).prefix(\(count))", { x($0).prefix(count) }) {
        a.value($0).map { String($0.prefix(count)) }
      }
    case 5:
      Formula("\(a.name).replacing()", { x($0).replacing("a", with: "b😀") }) {
        a.value($0)?.replacingOccurrences(of: "a", with: "b😀", options: .literal)
      }
    case 6:
      Formula("\(a.name).trimmed()", { x($0).trimmed() }) {
        a.value($0)?.trimmingCharacters(in: .whitespacesAndNewlines)
      }
    default: Formula("(\(a.name) ?? \(b.name))", { x($0) ?? y($0) }) { a.value($0) ?? b.value($0) }
    }
  }
}
