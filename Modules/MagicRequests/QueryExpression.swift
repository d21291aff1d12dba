package import MagicSchema
import Magical

/// An expression with its values, or the error that replaces it.
package struct QueryExpression: Sendable {
  package let tree: ExpressionTree
  package let values: [QueryValue]
  /// The number of operations, values and columns in the tree.
  private let size: Int
  private let depth: Int
  private let failure: Failure?

  /// A class instance, because expressions are copied often and errors are rare.
  private final class Failure: Sendable {
    let error: MagicError

    init(_ error: MagicError) { self.error = error }
  }

  /// The maximum depth that a recursive tree walk supports on the stack of any thread.
  private static let depthLimit = 64
  private static let sizeLimit = 20_000

  /// The error that replaces the expression. Thrown when the query runs.
  package var error: MagicError? { failure?.error }

  package init(_ error: any Error, type: String? = nil) {
    let error =
      error as? MagicError
      ?? (error as? MagicalError).map {
        MagicError(.cannotEncode, "A query value cannot be encoded: \($0).", type: type, cause: $0)
      } ?? MagicError(.cannotEncode, "A query value cannot be encoded.", type: type)
    self.init(failure: Failure(error))
  }

  private init(failure: Failure) {
    tree = .null
    values = []
    size = 1
    depth = 1
    self.failure = failure
  }

  /// Creates an expression without operands.
  package init(tree: ExpressionTree, values: [QueryValue] = []) {
    self.tree = tree
    self.values = values
    size = 1
    depth = 1
    failure = nil
  }

  package init(_ value: QueryValue) {
    if value.isNull { self.init(tree: .null) } else { self.init(tree: .value, values: [value]) }
  }

  private init(_ tree: ExpressionTree, values: [QueryValue], size: Int, depth: Int) {
    self.tree = tree
    self.values = values
    self.size = size
    self.depth = depth
    failure = nil
  }

  /// Creates an operation, or an error if the tree is too large or too deep.
  private init(
    limited tree: @autoclosure () -> ExpressionTree, values: @autoclosure () -> [QueryValue],
    size: Int, depth: Int
  ) {
    guard size <= Self.sizeLimit, depth <= Self.depthLimit else {
      self.init(
        MagicError(
          .invalidQuery,
          "The query expression is too large or nested too deeply. At most \(Self.sizeLimit) "
            + "operations, values and columns, and \(Self.depthLimit) levels are possible."))
      return
    }
    self.init(tree(), values: values(), size: size, depth: depth)
  }

  /// Creates an operation with one operand. The additional values follow the values of the operand.
  @inline(__always)
  init(
    _ operand: QueryExpression, values more: [QueryValue] = [],
    _ operation: (ExpressionTree) -> ExpressionTree
  ) {
    guard operand.failure == nil else {
      self = operand
      return
    }
    self.init(
      limited: operation(operand.tree), values: Self.joined(operand.values, more),
      size: operand.size + 1, depth: operand.depth + 1)
  }

  /// Creates an operation with two operands.
  @inline(__always)
  init(
    _ left: QueryExpression, _ right: QueryExpression,
    _ operation: (ExpressionTree, ExpressionTree) -> ExpressionTree
  ) {
    if let failure = left.failure ?? right.failure {
      self.init(failure: failure)
      return
    }
    self.init(
      limited: operation(left.tree, right.tree), values: Self.joined(left.values, right.values),
      size: left.size + right.size + 1, depth: max(left.depth, right.depth) + 1)
  }

  /// Creates an operation with three operands.
  init(
    _ first: QueryExpression, _ second: QueryExpression, _ third: QueryExpression,
    _ operation: (ExpressionTree, ExpressionTree, ExpressionTree) -> ExpressionTree
  ) {
    if let failure = first.failure ?? second.failure ?? third.failure {
      self.init(failure: failure)
      return
    }
    self.init(
      limited: operation(first.tree, second.tree, third.tree),
      values: first.values + second.values + third.values,
      size: first.size + second.size + third.size + 1,
      depth: max(first.depth, second.depth, third.depth) + 1)
  }

  /// Creates an operation with any number of operands.
  init(_ operands: [QueryExpression], _ operation: ([ExpressionTree]) -> ExpressionTree) {
    if let failure = operands.lazy.compactMap(\.failure).first {
      self.init(failure: failure)
      return
    }
    self.init(
      limited: operation(operands.map(\.tree)), values: operands.flatMap(\.values),
      size: operands.reduce(1) { $0 + $1.size },
      depth: (operands.map(\.depth).max() ?? 0) + 1)
  }

  /// Creates `a && b` or `a || b`. A chain of the same operator is one operation of any length.
  init(
    chain left: QueryExpression, _ leftOperands: [ExpressionTree]?, _ right: QueryExpression,
    _ rightOperands: [ExpressionTree]?, _ operation: ([ExpressionTree]) -> ExpressionTree
  ) {
    if let failure = left.failure ?? right.failure {
      self.init(failure: failure)
      return
    }
    var operands: [ExpressionTree] = []
    operands.reserveCapacity((leftOperands?.count ?? 1) + (rightOperands?.count ?? 1))
    if let leftOperands { operands += leftOperands } else { operands.append(left.tree) }
    if let rightOperands { operands += rightOperands } else { operands.append(right.tree) }
    self.init(
      limited: operation(operands), values: Self.joined(left.values, right.values),
      size: left.size + right.size + (leftOperands == nil && rightOperands == nil ? 1 : 0),
      depth: max(
        left.depth + (leftOperands == nil ? 1 : 0), right.depth + (rightOperands == nil ? 1 : 0)))
  }

  private static func joined(_ left: [QueryValue], _ right: [QueryValue]) -> [QueryValue] {
    if left.isEmpty { return right }
    return right.isEmpty ? left : left + right
  }
}
