import Magical

/// The values that expressions can have, as far as it is known without a database.
extension QueryExpression {
  /// Whether the value can be NULL. True if it is unknown.
  var mayBeNull: Bool {
    values.contains(where: \.isNull)
      || tree.mayBeNull(values: values.allSatisfy { $0.storageClass == .integer })
  }

  /// Returns whether the expression can have a value. True if it is unknown.
  func canHave(_ value: QueryValue) -> Bool {
    if value.isNull { return mayBeNull }
    // No value of a database is NaN.
    if case .real(let real) = value, real.isNaN { return false }
    guard let classes = tree.storageClasses, let storageClass = value.storageClass else {
      return tree.storageClasses == nil
    }
    return classes.contains(storageClass)
  }
}

extension QueryValue {
  /// Nil for NULL, an object or a list.
  fileprivate var storageClass: MagicalStorageClass? {
    switch self {
    case .null, .object, .list: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
