extension LinkList {
  /// Creates an empty list of the members of a column.
  package convenience init(
    _ column: CollectionColumn, target: ObjectSchema, keys: (any LinkKeys)?
  ) {
    self.init(
      of: target, madeBy: column, kind: column.kind, keys: keys,
      // A type with plain properties may refer to any object, so it is not flat.
      isFlat: target.isDense && target.toOnes.isEmpty && target.collections.isEmpty,
      staysInGraph: column.staysInGraph)
  }

  /// Creates an empty list of the same members as another one of the column.
  package convenience init(
    _ column: CollectionColumn, copying other: LinkList, keys: (any LinkKeys)?
  ) {
    self.init(
      of: other.memberType, madeBy: column, kind: column.kind, keys: keys, isFlat: other.isFlat,
      staysInGraph: other.staysInGraph)
  }

  /// The type of the members.
  var target: ObjectSchema { memberType.schema }
}
