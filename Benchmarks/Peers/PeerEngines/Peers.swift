internal import CTwin
internal import GRDBEngines
internal import MagicDataEngine
public import Workloads

/// Who is compared.
public enum Peers {
  /// The first is the base of ratios. A new engine is a line here.
  public static let engines: [any Engine.Type] = [
    CTwin.self,
    MagicDataEngine.self,
    GRDBCodable.self,
    GRDBRecords.self,
    GRDBSQL.self,
  ]

  /// Who is to reach the targets.
  public static let judged: any Engine.Type = MagicDataEngine.self
}
