/// The links of the fetched collections of one column.
package final class CollectionLinks: LinkList, @unchecked Sendable {
  private let column: CollectionColumn

  package init(_ column: CollectionColumn, target: ObjectSchema, keys: (any LinkKeys)?) {
    self.column = column
    super.init(
      of: target, kind: column.kind, keys: keys,
      // A type with plain properties may refer to any object, so it is not flat.
      isFlat: target.isDense && target.toOnes.isEmpty && target.collections.isEmpty,
      staysInGraph: column.staysInGraph)
  }

  /// Creates an empty list of the same members as another one of the column.
  package init(_ column: CollectionColumn, copying other: LinkList, keys: (any LinkKeys)?) {
    self.column = column
    super.init(
      of: other.memberType, kind: column.kind, keys: keys, isFlat: other.isFlat,
      staysInGraph: other.staysInGraph)
  }

  override func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value? {
    column.makeValue(of: links, as: type)
  }
}
