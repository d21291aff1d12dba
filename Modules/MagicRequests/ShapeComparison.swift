/// Compares the shapes of two queries. Equal closures have members with different IDs, so the
/// comparison maps the IDs of one side to the IDs of the other.
struct ShapeComparison {
  private var members: [(left: RowScopeID, right: RowScopeID)] = []
  private let rows: Rows

  /// Which rows are the same in both expressions.
  enum Rows {
    /// The rows with equal IDs, and members that correspond to each other.
    case same
    /// The rows that correspond to each other.
    case corresponding
    /// All rows of a type.
    case any
  }

  init(rows: Rows = .same) { self.rows = rows }

  mutating func areEqual(_ left: [ExpressionTree], _ right: [ExpressionTree]) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where !areEqual(left[index], right[index]) { return false }
    return true
  }

  mutating func areEqual(_ left: ExpressionTree?, _ right: ExpressionTree?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): areEqual(left, right)
    default: false
    }
  }

  mutating func areEqual(_ left: ExpressionTree, _ right: ExpressionTree) -> Bool {
    switch (left, right) {
    case (.column(let left), .column(let right)): areEqual(left, right)
    case (.value, .value), (.null, .null), (.rowCount, .rowCount): true
    case (.and(let left), .and(let right)), (.or(let left), .or(let right)):
      areEqual(left, right)
    case (.not(let left), .not(let right)), (.isNull(let left), .isNull(let right)),
      (.isNotNull(let left), .isNotNull(let right)), (.negative(let left), .negative(let right)),
      (.inList(let left), .inList(let right)):
      areEqual(left, right)
    case (.comparison(let sign, let a, let b), .comparison(let other, let c, let d)):
      sign == other && areEqual(a, c) && areEqual(b, d)
    case (.arithmetic(let sign, let a, let b), .arithmetic(let other, let c, let d)):
      sign == other && areEqual(a, c) && areEqual(b, d)
    case (.textTest(let test, let left), .textTest(let other, let right)):
      test == other && areEqual(left, right)
    case (.textFunction(let function, let left), .textFunction(let other, let right)):
      function == other && areEqual(left, right)
    case (.aggregate(let function, let left), .aggregate(let other, let right)):
      function == other && areEqual(left, right)
    case (.function(let function, let left), .function(let other, let right)):
      function == other && areEqual(left, right)
    case (.joined(let left), .joined(let right)): areEqual(left, right)
    case (.selected(let left), .selected(let right)): left == right
    case (.between(let a, let b, let c), .between(let d, let e, let f)):
      areEqual(a, d) && areEqual(b, e) && areEqual(c, f)
    case (.members(let function, let left, let a), .members(let other, let right, let b)):
      function == other && areEqual(left, right) && areEqual(a, b)
    case (.elements(let function, let left, let a), .elements(let other, let right, let b)):
      function == other && areEqual(left, right) && areEqual(a, b)
    case (.element(let left, let kind), .element(let right, let other)):
      kind == other && correspond(left, right)
    case (.subquery(let function, let left, let a), .subquery(let other, let right, let b)):
      function == other && areEqual(a, b) && areEqual(left, right)
    case (.window(let function, let left, let a), .window(let other, let right, let b)):
      function == other && areEqual(left, right) && a.frame == b.frame
        && areEqual(a.partition, b.partition) && areEqual(a.orders, b.orders)
    case (.fragment(let left), .fragment(let right)):
      left.isEqual(to: right) && correspond(left.scope, right.scope)
    default: false
    }
  }

  mutating func areEqual(
    _ left: [ExpressionTree.SortTerm], _ right: [ExpressionTree.SortTerm]
  ) -> Bool {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
      guard left.isDescending == right.isDescending, areEqual(left.tree, right.tree) else {
        return false
      }
    }
    return true
  }

  private mutating func areEqual(_ left: Subquery, _ right: Subquery) -> Bool {
    guard left.schema === right.schema, left.flags == right.flags,
      left.rowScopes.count == right.rowScopes.count
    else { return false }
    for (left, right) in zip(left.rowScopes, right.rowScopes) where !correspond(left, right) {
      return false
    }
    return areEqual(left.traversal, right.traversal) && areEqual(left.selection, right.selection)
      && areEqual(left.filter, right.filter)
      && areEqual(left.partition ?? [], right.partition ?? [])
      && areEqual(left.orders, right.orders)
  }

  mutating func areEqual(_ left: TraversalTree?, _ right: TraversalTree?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?):
      left.flags == right.flags && areEqual(left.relationship, right.relationship)
        && correspond(left.scope, right.scope) && areEqual(left.start, right.start)
    default: false
    }
  }

  private mutating func areEqual(_ left: MemberPredicate?, _ right: MemberPredicate?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?):
      correspond(left.scope, right.scope) && areEqual(left.condition, right.condition)
    default: false
    }
  }

  private mutating func areEqual(_ left: ColumnPath, _ right: ColumnPath) -> Bool {
    left.property == right.property && left.type == right.type
      && correspond(left.scope, right.scope) && left.toOnes == right.toOnes
  }

  mutating func correspond(_ left: RowScopeID, _ right: RowScopeID) -> Bool {
    if rows == .any { return true }
    guard rows == .corresponding || left.isMember && right.isMember else { return left == right }
    if let known = members.first(where: { $0.left == left || $0.right == right }) {
      return known.left == left && known.right == right
    }
    members.append((left, right))
    return true
  }
}
