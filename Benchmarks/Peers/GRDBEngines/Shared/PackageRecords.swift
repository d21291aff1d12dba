internal import GRDB
internal import Workloads

/// A package without the packages it needs.
protocol PackageRecord: FetchableRecord, MutablePersistableRecord, Sendable
where Columns: PackageColumns, DatabaseComponents == Columns.Type {
  associatedtype Author
  associatedtype NeedOfPackage
  static var author: BelongsToAssociation<Self, Author> { get }
  static var needs: HasManyAssociation<Self, NeedOfPackage> { get }
  static var neededBy: HasManyAssociation<Self, NeedOfPackage> { get }

  /// The row ID; nil before the row is inserted.
  var zIndex: Int64? { get }
  var id: String { get }
  var name: String { get }
  var version: String { get }
  var details: String { get }
  var size: Int { get }
  var maintainer: Int64? { get set }

  init(_ package: PlainPackage)
}

/// The columns that requests use.
protocol PackageColumns {
  static var zIndex: Column { get }
}

/// A maintainer of packages.
protocol MaintainerRecord: FetchableRecord, MutablePersistableRecord, Sendable {
  /// The row ID; nil before the row is inserted.
  var zIndex: Int64? { get }
  var name: String { get }

  init(name: String)
}

/// A row of the join table of packages and the packages they need.
protocol NeedRecord: FetchableRecord, PersistableRecord, Sendable {
  var owner: Int64 { get }
  var target: Int64 { get }

  init(owner: Int64, target: Int64)
}

/// A package with its maintainer, and the keys of the packages it needs.
protocol FullPackageRecord: FetchableRecord, Sendable {
  associatedtype Whole: PackageRecord
  associatedtype Author: MaintainerRecord
  associatedtype NeedOfPackage: NeedRecord
  var package: Whole { get }
  var author: Author? { get }
  var needs: [NeedOfPackage] { get }
}
