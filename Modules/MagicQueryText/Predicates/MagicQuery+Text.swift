import MagicEngine
public import MagicQuery
import MagicSchema

extension MagicQuery {
  /// Returns the query restricted to rows for which a predicate in text form is true.
  ///
  /// ```swift
  /// let people = try await magic.query(Person.self)
  ///   .where(text: "age > 3 AND name BEGINSWITH $0", "A")
  ///   .all()
  /// ```
  ///
  /// The text has the grammar of Core Data's predicates. Arguments are values, which are bound, and
  /// never part of the SQL. A mistake in the text makes the query throw `.invalidQuery` when it
  /// runs; to find it earlier, create a predicate.
  ///
  /// - Parameters:
  ///   - arguments: The values of `%@`, `%d` and `%K` in this order, and of `$0`, `$1`, ….
  ///   - named: The values of `$name`.
  public func `where`(text: String, _ arguments: Any?..., named: [String: Any?] = [:]) -> Self {
    let predicate = TextPredicate.expression(
      Model.self, text, TextArguments(arguments, named: named))
    return self.where(MagicPredicate<Model>(predicate))
  }

  /// Returns the query ordered by properties in text form.
  ///
  /// ```swift
  /// let people = try await magic.query(Person.self).order(text: "age DESC, name").all()
  /// ```
  ///
  /// After each property, `ASC` or `DESC` is possible. Properties of related objects, `@count` and
  /// arithmetic are possible as well. Orders that were added before have priority. A mistake in the
  /// text makes the query throw `.invalidQuery` when it runs.
  public func order(text: String) -> Self {
    let terms = TextPredicate.sortTerms(Model.self, text)
    return with {
      $0.isRandom = false
      $0.orders += terms
    }
  }
}

/// Predicates and sort terms of texts.
enum TextPredicate {
  static func expression<Model: MagicObject>(
    _ type: Model.Type, _ text: String, _ arguments: TextArguments
  ) -> QueryExpression {
    do {
      var parser = try TextParser(text, arguments)
      let node = try parser.predicate()
      return try TextResolver<Model>().condition(node, .init())
    } catch let mistake as TextMistake {
      return QueryExpression(mistake.error(in: text))
    } catch {
      return QueryExpression(error)
    }
  }

  static func sortTerms<Model: MagicObject>(
    _ type: Model.Type, _ text: String
  ) -> [QueryDescription.SortTerm] {
    do {
      var parser = try TextParser(text, TextArguments([]))
      let resolver = try TextResolver<Model>()
      return try parser.sortTerms().map { node, isDescending in
        let operand = try resolver.operand(node, .init())
        guard let type = operand.valueType, TextTypes.isOrdered(type) else {
          throw operand.mistake("The values have no order in the database.")
        }
        return .init(operand.expression, isDescending: isDescending)
      }
    } catch let mistake as TextMistake {
      return [.init(QueryExpression(mistake.error(in: text)), isDescending: false)]
    } catch {
      return [.init(QueryExpression(error), isDescending: false)]
    }
  }
}
