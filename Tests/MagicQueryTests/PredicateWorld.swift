import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport

/// Some objects that refer to each other, and random predicates about them.
final class PredicateWorld {
  static let texts: [String?] = [nil, "", "a", "ab", "a\0b", "é", "b", "Ab", "%", "😀"]

  let nodes = (0..<14).map { _ in PredicateNode() }
  let leaves = (0..<16).map { _ in PredicateLeaf() }
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed)
    for (index, node) in nodes.enumerated() {
      node.n = one(of: [nil, 0, 1, 2])
      node.k = index % 4
      node.r = one(of: [nil, -0.0, 1, 2.5])
      node.s = one(of: Self.texts)
      node.b = chance(2)
      node.c = one(of: [nil, true, false])
      node.next = chance(2) ? one(of: nodes) : nil
      node.other = chance(2) ? one(of: nodes) : nil
      node.sizes = one(of: [[:], ["a": 1], ["a": 3, "é\"": 2]])
      node.notes = one(of: [nil, [:], ["s": "Ab"], ["s": "é", "a": "x"]])
      node.list = (0..<number(4)).map { _ in one(of: leaves) }
    }
    for leaf in leaves {
      leaf.n = one(of: [nil, 0, 1])
      leaf.s = one(of: Self.texts)
      leaf.up = chance(2) ? one(of: nodes) : nil
    }
  }

  private func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
  private func chance(_ of: Int) -> Bool { number(of) == 0 }
  private func one<Value>(of values: [Value]) -> Value { values[number(values.count)] }

  private func leaves(of node: PredicateNode) -> [PredicateLeaf] {
    leaves.filter { $0.up?.zIndex == node.zIndex }
  }

  private func before(_ node: PredicateNode) -> [PredicateNode] {
    nodes.filter { $0.next?.zIndex == node.zIndex }
  }

  private func isLess<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool {
    if let left, let right { left < right } else { false }
  }

  /// A predicate with a maximum depth.
  func question(_ depth: Int) -> Question<PredicateNode> {
    guard depth > 0, !chance(3) else { return simple(number(27)) }
    let (left, right) = (question(depth - 1), question(depth - 1))
    let (l, r) = (left.name, right.name)
    switch number(5) {
    case 0: return Question("!(\(l))", { !left.predicate($0) }, { !left.isTrue($0) })
    case 1:
      return Question(
        "(\(l) == \(r))", { left.predicate($0) == right.predicate($0) },
        { left.isTrue($0) == right.isTrue($0) })
    case 2, 3:
      return Question(
        "(\(l) && \(r))", { left.predicate($0) && right.predicate($0) },
        { left.isTrue($0) && right.isTrue($0) })
    default:
      return Question(
        "(\(l) || \(r))", { left.predicate($0) || right.predicate($0) },
        { left.isTrue($0) || right.isTrue($0) })
    }
  }

  private func simple(_ kind: Int) -> Question<PredicateNode> {
    switch kind {
    case 0..<10: ofValues(kind)
    case 10..<18: ofToOnes(kind)
    default: ofMembers(kind)
    }
  }

  private func ofValues(_ kind: Int) -> Question<PredicateNode> {
    let v = number(3)
    let s = one(of: Self.texts.compactMap { $0 })
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    return switch kind {
    case 0: Question("n == \(v)", { $0.$n == v }, { $0.n == v })
    case 1: Question("n != \(v)", { $0.$n != v }, { $0.n != v })
    case 2: Question("n < \(v)", { $0.$n < v }, { self.isLess($0.n, v) })
    case 3: Question("b", { $0.$b }, { $0.b })
    case 4: Question("c == true", { $0.$c == true }, { $0.c == true })
    case 5: Question("c != false", { $0.$c != false }, { $0.c != false })
    case 6:
      Question("s begins", { $0.$s.hasPrefix(s) }) {
        bytes($0.s)?.starts(with: bytes(s) ?? []) ?? false
      }
    case 7:
      Question("s ends", { $0.$s.hasSuffix(s) }) {
        bytes($0.s)?.reversed().starts(with: (bytes(s) ?? []).reversed()) ?? false
      }
    case 8: Question("n in", { $0.$n.in([0, 2]) }, { $0.n == 0 || $0.n == 2 })
    default: Question("r <= 1", { $0.$r <= 1 }, { $0.r.map { $0 <= 1 } ?? false })
    }
  }

  private func ofToOnes(_ kind: Int) -> Question<PredicateNode> {
    let node = one(of: nodes)
    return switch kind {
    case 10: Question("n == next.n", { $0.$n == $0.$next.$n }, { $0.n == $0.next?.n })
    case 11:
      Question("next.n != other.n", { $0.$next.$n != $0.$other.$n }, { $0.next?.n != $0.other?.n })
    case 12:
      Question("next.next.k < other.k", { $0.$next.$next.$k < $0.$other.$k }) {
        self.isLess($0.next?.next?.k, $0.other?.k)
      }
    case 13: Question("next == nil", { $0.$next == nil }, { $0.next == nil })
    case 14: Question("next == node", { $0.$next == node }, { $0.next?.zIndex == node.zIndex })
    case 15:
      Question("next.next != node", { $0.$next.$next != node }) {
        $0.next?.next?.zIndex != node.zIndex
      }
    case 16:
      Question("n + 1 == next.k", { $0.$n + 1 == $0.$next.$k }) {
        $0.n.map { $0 + 1 } == $0.next?.k
      }
    default:
      Question("(next.n + 5) in nothing", { row in (row.$next.$n + 5).in([Int]()) }, { _ in false })
    }
  }

  private func ofMembers(_ kind: Int) -> Question<PredicateNode> {
    let leaf = ofLeaf(number(6))
    let (name, predicate, isTrue) = (leaf.name, leaf.predicate, leaf.isTrue)
    return switch kind {
    case 18, 19:
      Question("list has {\(name)}", { $0.$list.contains(predicate) }) {
        $0.list.contains(where: isTrue)
      }
    case 20:
      Question("list is all {\(name)}", { $0.$list.allSatisfy(predicate) }) {
        $0.list.allSatisfy(isTrue)
      }
    case 21:
      Question("next.list has no {\(name)}", { $0.$next.$list.none(predicate) }) {
        !($0.next?.list ?? []).contains(where: isTrue)
      }
    case 22:
      Question(
        "list.count {\(name)} > leaves.count", { $0.$list.count(predicate) > $0.$leaves.count }
      ) { $0.list.filter(isTrue).count > self.leaves(of: $0).count }
    case 23:
      Question("leaves are all {\(name)}", { $0.$leaves.allSatisfy(predicate) }) {
        self.leaves(of: $0).allSatisfy(isTrue)
      }
    case 24:
      Question(
        "before has {before.count > 0 && outer.k <= k}",
        { outer in outer.$before.contains { $0.$before.count > 0 && outer.$k <= $0.$k } }
      ) { outer in
        self.before(outer).contains { !self.before($0).isEmpty && outer.k <= $0.k }
      }
    default:
      Question("other.before is empty", { $0.$other.$before.isEmpty }) {
        $0.other.map { self.before($0).isEmpty } ?? true
      }
    }
  }

  private func ofLeaf(_ kind: Int) -> Question<PredicateLeaf> {
    switch kind {
    case 0: Question("n > 0", { $0.$n > 0 }, { self.isLess(0, $0.n) })
    case 1: Question("n == nil", { $0.$n == nil }, { $0.n == nil })
    case 2: Question("!(n < 1)", { !($0.$n < 1) }, { !self.isLess($0.n, 1) })
    case 3:
      Question("s has a || n == 0", { $0.$s.contains("a") || $0.$n == 0 }) {
        ($0.s.map { $0.unicodeScalars.contains("a") } ?? false) || $0.n == 0
      }
    case 4: Question("up.n == 1", { $0.$up.$n == 1 }, { $0.up?.n == 1 })
    default:
      Question("up.next.k < 2 && n != 0", { $0.$up.$next.$k < 2 && $0.$n != 0 }) {
        self.isLess($0.up?.next?.k, 2) && $0.n != 0
      }
    }
  }
}
