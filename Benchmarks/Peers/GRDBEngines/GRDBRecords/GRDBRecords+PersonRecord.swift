internal import Foundation
internal import GRDB
internal import Workloads

/// The columns of a person are selected in an order, and read by it.
extension GRDBRecords {
  struct Person: FetchableRecord, PersistableRecord {
    /// The table's own key: nil until a record was fetched.
    var zIndex: Int64?
    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    enum Columns {
      static let zIndex = Column("z_index")
      static let id = Column("id")
      static let name = Column("name")
      static let age = Column("age")
      static let height = Column("height")
      static let nickname = Column("nickname")
      static let photo = Column("photo")
    }

    static var databaseSelection: [any SQLSelectable] {
      [
        Columns.zIndex, Columns.id, Columns.name, Columns.age, Columns.height, Columns.nickname,
        Columns.photo,
      ]
    }

    init(row: Row) {
      zIndex = row[0]
      id = row[1]
      name = row[2]
      age = row[3]
      height = row[4]
      nickname = row[5]
      photo = row[6]
    }

    func encode(to container: inout PersistenceContainer) {
      container["z_index"] = zIndex
      container["id"] = id
      container["name"] = name
      container["age"] = age
      container["height"] = height
      container["nickname"] = nickname
      container["photo"] = photo
    }

    init(_ person: PlainPerson) {
      id = person.id
      name = person.name
      age = person.age
      height = person.height
      nickname = person.nickname
      photo = person.photo
    }
  }

  /// A person whose age has an index.
  struct Resident: FetchableRecord, PersistableRecord {
    var zIndex: Int64?
    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    typealias Columns = Person.Columns

    static var databaseSelection: [any SQLSelectable] { Person.databaseSelection }

    init(row: Row) {
      zIndex = row[0]
      id = row[1]
      name = row[2]
      age = row[3]
      height = row[4]
      nickname = row[5]
      photo = row[6]
    }

    func encode(to container: inout PersistenceContainer) {
      container["z_index"] = zIndex
      container["id"] = id
      container["name"] = name
      container["age"] = age
      container["height"] = height
      container["nickname"] = nickname
      container["photo"] = photo
    }

    init(_ person: PlainPerson) {
      id = person.id
      name = person.name
      age = person.age
      height = person.height
      nickname = person.nickname
      photo = person.photo
    }
  }
}
