/// One slow way of asking a database, and a better one. Values never appear in it.
public struct MagicDiagnosis: Hashable, Sendable {
  /// What is slow.
  public enum Kind: Hashable, Sendable {
    /// A statement reads whole tables to find some of their rows.
    case fullScan
    /// Many objects of one type are looked up one by one.
    case singleLookUps
    /// Many objects are asked one by one which others refer to them.
    case singleReverseLookUps
  }

  /// What is slow.
  public let kind: Kind
  /// A sentence for people.
  public let message: String
  /// The missing index or the better call, as Swift; nil where there is none to name.
  public let advice: String?
  /// The statement, with `?` for its values, where it was one.
  public let sql: String?

  package init(_ kind: Kind, _ message: String, advice: String?, sql: String? = nil) {
    self.kind = kind
    self.message = message
    self.advice = advice
    self.sql = sql
  }
}

extension MagicDiagnosis: CustomStringConvertible {
  /// The sentence, the advice and the SQL.
  public var description: String {
    let advice = advice.map { " Better: \($0)" } ?? ""
    return message + advice + (sql.map { " [\($0)]" } ?? "")
  }
}
