/// What the row cache of a database has done since the database was opened.
///
/// ```swift
/// let cache = magic.cacheStatistics
/// print("\(cache.hits) of \(cache.hits + cache.misses) lookups were in the cache")
/// ```
///
/// Lookups count if the type's rows can be cached, see ``MagicOptions/rowCacheSize``, and if they
/// are calls of their own: those in a transaction or in a `read` body do not use the cache.
public struct MagicCacheStatistics: Sendable, Hashable {
  /// The number of lookups whose row was in the cache.
  public package(set) var hits = 0
  /// The number of lookups whose row was not in the cache, or had changed.
  public package(set) var misses = 0
  /// The number of rows that were removed for others.
  public package(set) var evictions = 0

  package init() {}

  package static func += (left: inout MagicCacheStatistics, right: MagicCacheStatistics) {
    left.hits += right.hits
    left.misses += right.misses
    left.evictions += right.evictions
  }
}
