import MagicInspection

/// Advice about the indexes of a type that follows from their columns alone.
struct IndexRules {
  let type: InspectedType
  /// Whether the type is on a server of PostgreSQL, where the library names indexes by hashes.
  let isOnServer: Bool

  /// Whether the index belongs to the library: that of a to-one.
  func isOwn(_ index: InspectedIndex) -> Bool {
    guard index.columns.count == 1, let column = index.columns.first,
      type.relationships.contains(where: { $0.source == .column(column) })
    else { return false }
    return isOnServer
      ? !index.isUnique && index.name.hasPrefix("magic_index_")
      : index.name == "\(type.table)(\(column))"
  }

  /// Whether a type declares the index, as far as its name says.
  func isDeclared(_ index: InspectedIndex) -> Bool {
    !isOnServer || index.name.hasPrefix("magic_index_")
  }

  /// Says how to remove an index.
  func removal(of index: InspectedIndex) -> String {
    isDeclared(index)
      ? "Remove .indexed from the property, or the index from the indexes of the type"
      : "No type declares it: drop it"
  }

  /// Indexes whose columns another one begins with, or has.
  func redundant() -> [Advice] {
    type.indexes.indices.compactMap { position in
      guard let other = replacement(of: position) else { return nil }
      let index = type.indexes[position]
      let reason =
        other.columns.count == index.columns.count
        ? "has the same columns" : "begins with the same columns"
      return Advice(
        subject: "redundant index",
        text:
          "\(name(index)) is not needed: \(name(other)) \(reason). Each index makes saves slower "
          + "and the \(isOnServer ? "database" : "file") larger. \(removal(of: index)).")
    }
  }

  /// Returns an index that finds what the one at a position finds; nil if there is none. An index that a
  /// type declares does not depend on one of another program.
  func replacement(of position: Int) -> InspectedIndex? {
    let index = type.indexes[position]
    guard !index.isPartial, !isOwn(index), !index.columns.contains("") else { return nil }
    return type.indexes.enumerated().first { otherPosition, other in
      guard otherPosition != position, !other.isPartial,
        isDeclared(other) || !isDeclared(index),
        other.columns.starts(with: index.columns),
        other.collations.starts(with: index.collations)
      else { return false }
      let isLonger = other.columns.count > index.columns.count
      // A unique index also refuses values. Of two equal ones the later is not needed.
      let isFirst = isDeclared(other) != isDeclared(index) || otherPosition < position
      if index.isUnique { return other.isUnique && !isLonger && isFirst }
      return isLonger || other.isUnique || isFirst
    }?.element
  }

  /// Relationships without an index.
  func missing() -> [Advice] {
    type.relationships.compactMap { relationship in
      guard case .column(let column) = relationship.source,
        !type.indexes.contains(where: { $0.finds(column) })
      else { return nil }
      return Advice(
        subject: "missing index",
        text:
          "The to-one column \(InspectedText.line(column)) of \(InspectedText.line(type.table)) "
          + "has no index. Finding what refers to an object reads the whole table.")
    }
  }

  /// Returns the name of an index for a text, on a server with its table and columns.
  func name(_ index: InspectedIndex) -> String {
    guard isOnServer else { return InspectedText.line(index.name) }
    return name(index.name, columns: index.columns.joined(separator: ", "))
  }

  /// Returns the name of an index on a server with its table and what it contains.
  func name(_ index: String, columns: String) -> String {
    InspectedText.line("\(index) on \(type.table) (\(columns))")
  }
}
