import Magical
import MagicSchema
import MagicStore

/// An expression without its types: its code, and the values that it is given.
struct ExpressionCode: Sendable {
  private(set) var words: [Int]
  private(set) var values: [QueryValue]
  private(set) var depth: Int
  /// Why there is no expression; it is thrown where the query runs.
  private(set) var error: MagicError?

  /// This many levels are gone through on any thread's stack. SQLite goes down 1,000, and its parser,
  /// before 3.46, some 50 brackets.
  static let depthLimit = 64
  private static let sizeLimit = 1 << 15

  init(_ error: any Error, type: String? = nil) {
    words = []
    values = []
    depth = 0
    self.error =
      error as? MagicError
      ?? (error as? MagicalError).map {
        MagicError(.cannotEncode, "A value of a query: \($0).", type: type, cause: $0)
      } ?? MagicError(.cannotEncode, "A value of a query has no stored form.", type: type)
  }

  init(words: [Int], values: [QueryValue] = []) {
    self.words = words
    self.values = values
    depth = 1
  }

  init(_ value: QueryValue) {
    self.init(
      words: [(value.isNull ? Operation.null : .value).rawValue],
      values: value.isNull ? [] : [value])
  }

  /// An operation on operands, with fixed words of its own and values that come behind theirs.
  init(
    _ operation: Operation, fixed: [Int] = [], _ operands: [ExpressionCode],
    values more: [QueryValue] = []
  ) {
    var words = [operation.rawValue] + fixed
    var values: [QueryValue] = []
    var depth = 1
    for operand in operands {
      words += operand.words
      values += operand.values
      depth = max(depth, operand.depth + 1)
    }
    self.init(
      words: words, values: values + more, depth: depth,
      error: operands.lazy.compactMap(\.error).first)
  }

  /// `a && b` or `a || b`. A chain of one of them is one operation, however long it is.
  init(_ operation: Operation, joining left: ExpressionCode, _ right: ExpressionCode) {
    if let error = left.error ?? right.error {
      self.init(error)
      return
    }
    let (leftCount, leftWords) = left.operands(of: operation)
    let (rightCount, rightWords) = right.operands(of: operation)
    var words: [Int] = []
    words.reserveCapacity(2 + leftWords.count + rightWords.count)
    words.append(operation.rawValue)
    words.append(leftCount + rightCount)
    words += leftWords
    words += rightWords
    self.init(
      words: words, values: left.values + right.values,
      depth: max(
        left.depth + (leftCount == 1 ? 1 : 0), right.depth + (rightCount == 1 ? 1 : 0)),
      error: nil)
  }

  /// What is in error or too large is an error and nothing else.
  private init(words: [Int], values: [QueryValue], depth: Int, error: MagicError?) {
    if let error {
      self.init(error)
    } else if depth > Self.depthLimit || words.count > Self.sizeLimit {
      self.init(
        MagicError(.invalidQuery, "An expression is larger or deeper than a query can be."))
    } else {
      self.init(words: words, values: values)
      self.depth = depth
    }
  }

  private func operands(of operation: Operation) -> (count: Int, words: ArraySlice<Int>) {
    words[0] == operation.rawValue ? (words[1], words[2...]) : (1, words[...])
  }

  /// What begins the expression; nil where there is none.
  var operation: Operation? { words.first.flatMap(Operation.init) }

  /// What an aggregate is computed of; nothing for a count of rows.
  var aggregated: ExpressionCode {
    words.count > 1
      ? ExpressionCode(words: Array(words.dropFirst()), values: values)
      : ExpressionCode(words: [Operation.null.rawValue])
  }

  /// The column of the type itself that the expression is; nil for any other.
  var ownColumn: Int? {
    operation == .column && words.count == 5 && words[3] == 1 ? words[4] : nil
  }
}

extension ExpressionCode {
  /// The property that a key path leads to.
  init<Model: MagicObject, Value>(
    _ path: MagicPath<Model, Value>, scope: Int = Scope.innermost
  ) {
    do {
      let schema = try ObjectSchema.of(Model.self)
      guard let field = schema.evaluate(on: Model.self, { $0[keyPath: path] }) else {
        throw MagicError(.invalidSchema, "The type has no template.", type: schema.typeName)
      }
      let steps = try schema.steps(to: field)
      self.init(
        words: [Operation.column.rawValue, scope, schema.ordinal, steps.count] + steps)
    } catch {
      self.init(error)
    }
  }

  /// The property that a key path leads to, behind a to-one.
  init<Target: MagicObject, Value>(_ path: MagicPath<Target, Value>, behind toOne: ExpressionCode) {
    let step = ExpressionCode(path)
    guard toOne.error == nil, step.error == nil else {
      self = toOne.error == nil ? step : toOne
      return
    }
    self.init(steps: Array(step.words[4...]), behind: toOne)
  }

  /// More steps behind a to-one.
  init(steps: [Int], behind toOne: ExpressionCode) {
    guard toOne.error == nil, toOne.operation == .column else {
      self.init(
        toOne.error ?? MagicError(.invalidQuery, "Only a relationship leads to properties."))
      return
    }
    var words = toOne.words
    words[3] += steps.count
    self.init(words: words + steps)
  }

  /// A value that a query is given.
  init(value: some Magical) {
    do {
      self.init(try QueryValue(value))
    } catch {
      self.init(error)
    }
  }

  init(value: (some Magical)?) {
    if let value { self.init(value: value) } else { self.init(QueryValue.null) }
  }

  /// A value whose type is known to be magical, or optional, at run time alone.
  init(anyValue value: Any) {
    if let value = value as? any Magical {
      self.init(value: value)
    } else {
      self.init(QueryValue.null)
    }
  }
}
