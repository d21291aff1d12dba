internal import GRDB
internal import Workloads

extension GRDBCodable {
  struct Package: Codable, PackageRecord {
    static let databaseTableName = "package"

    var zIndex: Int64?
    var id: String
    var name: String
    var version: String
    var details: String
    var size: Int
    var maintainer: Int64?

    static let author: BelongsToAssociation<Package, Maintainer> = belongsTo(
      Maintainer.self, key: "author")
    static let needs: HasManyAssociation<Package, Need> = hasMany(
      Need.self, key: "needs", using: Need.ownerKey)
    static let neededBy: HasManyAssociation<Package, Need> = hasMany(
      Need.self, key: "neededBy", using: Need.targetKey)

    enum CodingKeys: String, CodingKey {
      case zIndex = "z_index"
      case id, name, version, details, size, maintainer
    }

    enum Columns: PackageColumns {
      static let zIndex = Column(CodingKeys.zIndex)
    }

    init(_ package: PlainPackage) {
      id = package.id
      name = package.name
      version = package.version
      details = package.details
      size = package.size
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }
  }

  struct Maintainer: Codable, MaintainerRecord {
    static let databaseTableName = "maintainer"

    var zIndex: Int64?
    var name: String

    enum CodingKeys: String, CodingKey {
      case zIndex = "z_index"
      case name
    }

    init(name: String) { self.name = name }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }
  }

  /// A row of the join table of packages and the packages they need.
  struct Need: Codable, NeedRecord {
    static let databaseTableName = "need"

    var owner: Int64
    var target: Int64

    static let ownerKey = ForeignKey([Columns.owner])
    static let targetKey = ForeignKey([Columns.target])

    enum Columns {
      static let owner = Column(CodingKeys.owner)
      static let target = Column(CodingKeys.target)
    }
  }

  /// A package with its maintainer, and the keys of the packages it needs.
  struct FullPackage: Decodable, FullPackageRecord {
    var package: Package
    var author: Maintainer?
    var needs: [Need]
  }
}
