package import MagicSchema

/// Numbers the tables whose rows a connection counts. Types with the same table have the same number.
package struct TableNumbers {
  /// The numbers by the ordinals of the types; -1 for a type without one.
  private var numbers: [Int] = []
  private var names: [String: Int] = [:]

  package init() {}

  package mutating func number(of schema: ObjectSchema) -> Int {
    if schema.ordinal < numbers.count, numbers[schema.ordinal] >= 0 {
      return numbers[schema.ordinal]
    }
    while numbers.count <= schema.ordinal { numbers.append(-1) }
    let name = schema.tableName.folded
    let number = names[name] ?? names.count
    names[name] = number
    numbers[schema.ordinal] = number
    return number
  }
}
