/// A slow access pattern and a faster alternative. Diagnoses never contain values of the user's
/// data.
public struct MagicDiagnosis: Hashable, Sendable {
  /// The kind of a slow access pattern.
  public enum Kind: Hashable, Sendable {
    /// A statement reads whole tables to find some of their rows.
    case fullScan
    /// Many objects of one type are looked up one by one.
    case singleLookUps
    /// Many objects are looked up one by one through inverse relationships: each lookup finds the
    /// objects that refer to one object.
    case singleReverseLookUps
  }

  /// The kind of the access pattern.
  public let kind: Kind
  /// A human-readable description.
  public let message: String
  /// The missing index or a faster call, as Swift code, or nil if there is none.
  public let advice: String?
  /// The SQL statement with `?` for its values, or nil if the pattern is not one statement.
  public let sql: String?

  package init(_ kind: Kind, _ message: String, advice: String?, sql: String? = nil) {
    self.kind = kind
    self.message = message
    self.advice = advice
    self.sql = sql
  }
}

extension MagicDiagnosis: CustomStringConvertible {
  /// The message, the advice and the SQL.
  public var description: String {
    let advice = advice.map { " Better: \($0)" } ?? ""
    return message + advice + (sql.map { " [\($0)]" } ?? "")
  }
}
