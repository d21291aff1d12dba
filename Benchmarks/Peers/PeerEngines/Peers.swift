internal import CTwin
internal import GRDBEngines
internal import MagicDataEngine
public import Workloads

/// The compared engines.
public enum Peers {
  /// The engines; the first is the base of ratios. A new engine is added here.
  public static let engines: [any Engine.Type] = [
    CTwin.self,
    MagicDataEngine.self,
    GRDBCodable.self,
    GRDBRecords.self,
    GRDBSQL.self,
  ]

  /// The engine with targets.
  public static let judged: any Engine.Type = MagicDataEngine.self
}
