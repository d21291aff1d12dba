/// The SQL that finds the members of a relationship, or the owners of a member. Its parameter `?` is
/// a row ID. SQLite and PostgreSQL have the same result.
package struct MemberQuery {
  /// The row ID that is found, with DISTINCT if each is found once.
  private let result: String
  /// The key of a dictionary's member, else NULL.
  private let key: String
  /// FROM and WHERE.
  private let source: String
  private let order: String

  private init(result: String, key: String = "NULL", source: String, order: String) {
    (self.result, self.key, self.source, self.order) = (result, key, source, order)
  }

  private static let rowID = InspectedType.rowIDColumn.quoted

  /// Whether the members have keys.
  package var hasKeys: Bool { key != "NULL" }

  /// The number of members.
  package var count: String { "SELECT count(*) FROM (SELECT \(result) \(source)) AS found" }

  /// A page of members: their row IDs and keys. It has one more than the limit, if there are more.
  package func page(offset: Int, limit: Int) -> String {
    """
    SELECT \(result), \(key) \(source) ORDER BY \(order) LIMIT \(limit + 1) OFFSET \(max(0, offset))
    """
  }

  package static func members(of relationship: InspectedRelationship) -> MemberQuery {
    switch relationship.source {
    case .column(let column):
      return MemberQuery(
        result: column.quoted,
        source: """
          FROM \(relationship.owner.quoted) WHERE \(rowID) = ? AND \(column.quoted) IS NOT NULL
          """, order: "1")
    case .joinTable(let table):
      let order = [InspectedForm.list: "position".quoted, .dictionary: "key".quoted][
        relationship.form]
      return MemberQuery(
        result: "target", key: relationship.form == .dictionary ? "key" : "NULL",
        source: "FROM \(table.quoted) WHERE owner = ?", order: order ?? "target")
    case .owned(let owner, let position):
      return MemberQuery(
        result: rowID, source: "FROM \(relationship.target.quoted) WHERE \(owner.quoted) = ?",
        order: position.quoted)
    case .joinType(let table, let owner, let target, let order, let isSet):
      let source = """
        FROM \(table.quoted) WHERE \(owner.quoted) = ? AND \(target.quoted) IS NOT NULL
        """
      return isSet
        ? MemberQuery(result: "DISTINCT \(target.quoted)", source: source, order: "1")
        : MemberQuery(
          result: target.quoted, source: source, order: "\(order.quoted), \(rowID)")
    case .inverse(let table, _, let source):
      return owners(table, relationship.owner, source)
    }
  }

  /// The objects that refer to an object by a relationship, each once.
  package static func owners(of relationship: InspectedRelationship) -> MemberQuery {
    owners(relationship.owner, relationship.target, relationship.source)
  }

  /// The owners of a relationship that contains a member.
  private static func owners(
    _ owner: String, _ target: String, _ source: InspectedRelationship.Source
  ) -> MemberQuery {
    switch source {
    case .column(let column):
      return MemberQuery(
        result: rowID, source: "FROM \(owner.quoted) WHERE \(column.quoted) = ?", order: "1")
    case .joinTable(let table):
      return MemberQuery(
        result: "DISTINCT owner", source: "FROM \(table.quoted) WHERE target = ?", order: "1")
    case .owned(let ownerColumn, _):
      return MemberQuery(
        result: ownerColumn.quoted,
        source: """
          FROM \(target.quoted) WHERE \(rowID) = ? AND \(ownerColumn.quoted) IS NOT NULL
          """, order: "1")
    case .joinType(let table, let ownerColumn, let targetColumn, _, _):
      return MemberQuery(
        result: "DISTINCT \(ownerColumn.quoted)",
        source: """
          FROM \(table.quoted) WHERE \(targetColumn.quoted) = ? AND \(ownerColumn.quoted) IS NOT NULL
          """, order: "1")
    case .inverse(_, _, let source): return owners(owner, target, source)
    }
  }
}
