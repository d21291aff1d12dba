internal import GRDB
internal import Workloads

extension GRDBRecords {
  struct Package: PackageRecord {
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

    enum Columns: PackageColumns {
      static let zIndex = Column("z_index")
    }

    static var databaseSelection: [any SQLSelectable] {
      [
        Column("z_index"), Column("id"), Column("name"), Column("version"), Column("details"),
        Column("size"), Column("maintainer"),
      ]
    }

    init(row: Row) {
      zIndex = row[0]
      id = row[1]
      name = row[2]
      version = row[3]
      details = row[4]
      size = row[5]
      maintainer = row[6]
    }

    func encode(to container: inout PersistenceContainer) {
      container["z_index"] = zIndex
      container["id"] = id
      container["name"] = name
      container["version"] = version
      container["details"] = details
      container["size"] = size
      container["maintainer"] = maintainer
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }

    init(_ package: PlainPackage) {
      id = package.id
      name = package.name
      version = package.version
      details = package.details
      size = package.size
    }
  }

  struct Maintainer: MaintainerRecord {
    static let databaseTableName = "maintainer"

    var zIndex: Int64?
    var name: String

    static var databaseSelection: [any SQLSelectable] { [Column("z_index"), Column("name")] }

    init(row: Row) {
      zIndex = row[0]
      name = row[1]
    }

    func encode(to container: inout PersistenceContainer) {
      container["z_index"] = zIndex
      container["name"] = name
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }

    init(name: String) { self.name = name }
  }

  /// A row of the join table of packages and the packages they need.
  struct Need: NeedRecord {
    static let databaseTableName = "need"

    var owner: Int64
    var target: Int64

    static let ownerKey = ForeignKey([Columns.owner])
    static let targetKey = ForeignKey([Columns.target])

    enum Columns {
      static let owner = Column("owner")
      static let target = Column("target")
    }

    static var databaseSelection: [any SQLSelectable] { [Columns.owner, Columns.target] }

    init(owner: Int64, target: Int64) {
      self.owner = owner
      self.target = target
    }

    init(row: Row) {
      owner = row[0]
      target = row[1]
    }

    func encode(to container: inout PersistenceContainer) {
      container["owner"] = owner
      container["target"] = target
    }
  }

  /// A package with its maintainer, and the keys of the packages it needs.
  struct FullPackage: FullPackageRecord {
    var package: Package
    var author: Maintainer?
    var needs: [Need]

    init(row: Row) throws {
      package = Package(row: row)
      author = try row.decodeIfPresent(forKey: "author")
      needs = try row.decode(forKey: "needs")
    }
  }
}
