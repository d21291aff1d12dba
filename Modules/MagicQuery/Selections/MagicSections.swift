import MagicEngine
public import Magical
public import MagicSchema

/// The objects of a query, in sections whose objects have equal keys, for lists with headers.
///
/// ```swift
/// let sections = magic.query(Person.self).order(by: \.$name).sectioned(by: \.$age)
/// for section in try await sections.all() { print(section.key, section.objects.count) }
/// ```
///
/// The sections are ordered by their keys. The objects of a section have the order of the query. A
/// limit or offset of the query applies to its objects in the order of the sections.
public struct MagicSections<Model: MagicObject, Key, Source> {
  /// The query, ordered by the key first.
  let query: MagicQuery<Model, Source>
  let key: QueryExpression
  let direction: MagicOrder

  package var source: Source { query.source }
}

extension MagicSections: Sendable where Source: Sendable {}

/// The objects of a query that have the same key.
public struct MagicSection<Model: MagicObject, Key> {
  /// The value of the property by which the query is divided.
  public let key: Key
  /// The objects, in the order of the query.
  public let objects: [Model]
}

extension MagicSection: Sendable where Key: Sendable {}

extension MagicQuery {
  /// Divides the objects into sections by a property.
  ///
  /// - Parameter direction: the order of the sections. Default: ascending, nil first.
  public func sectioned<Key: MagicalOrdered>(
    by path: MagicPath<Model, Key>, _ direction: MagicOrder = .ascending
  ) -> MagicSections<Model, Key, Source> {
    sections(by: QueryExpression(path), direction)
  }

  /// Divides the objects into sections by an enumeration, in the order of its raw values.
  ///
  /// - Parameter direction: the order of the sections. Default: ascending.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func sectioned<Key: Magical & RawRepresentable>(
    by path: MagicPath<Model, Key>, _ direction: MagicOrder = .ascending
  ) -> MagicSections<Model, Key, Source> where Key.RawValue: MagicalOrdered {
    sections(by: QueryExpression(path), direction)
  }

  /// Divides the objects into sections by an optional enumeration, in the order of its raw values.
  ///
  /// - Parameter direction: the order of the sections. Default: ascending, nil first.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func sectioned<Key: Magical & RawRepresentable>(
    by path: MagicPath<Model, Key?>, _ direction: MagicOrder = .ascending
  ) -> MagicSections<Model, Key?, Source> where Key.RawValue: MagicalOrdered {
    sections(by: QueryExpression(path), direction)
  }

  private func sections<Key>(
    by key: QueryExpression, _ direction: MagicOrder
  ) -> MagicSections<Model, Key, Source> {
    let query = with {
      if $0.isRandom {
        $0.error =
          $0.error
          ?? MagicError(
            .invalidQuery,
            "A query in random order cannot be divided into sections. Remove the random order.")
      }
      $0.orders.insert(
        QueryDescription.SortTerm(key, isDescending: direction == .descending), at: 0)
    }
    return MagicSections(query: query, key: key, direction: direction)
  }
}
