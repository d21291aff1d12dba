internal import Foundation
internal import GRDB
internal import Workloads

/// The columns of a person are selected in an order, and read by it.
extension GRDBRecords {
  struct Person: PersonRecord {
    static let databaseTableName = "person"

    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    enum Columns: PersonColumns {
      static let id = Column("id")
      static let name = Column("name")
      static let age = Column("age")
      static let height = Column("height")
      static let nickname = Column("nickname")
      static let photo = Column("photo")
    }

    static var databaseSelection: [any SQLSelectable] {
      [
        Columns.id, Columns.name, Columns.age, Columns.height, Columns.nickname, Columns.photo,
      ]
    }

    init(row: Row) {
      id = row[0]
      name = row[1]
      age = row[2]
      height = row[3]
      nickname = row[4]
      photo = row[5]
    }

    func encode(to container: inout PersistenceContainer) {
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
  struct Resident: PersonRecord {
    static let databaseTableName = "resident"

    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    typealias Columns = Person.Columns

    static var databaseSelection: [any SQLSelectable] { Person.databaseSelection }

    init(row: Row) {
      id = row[0]
      name = row[1]
      age = row[2]
      height = row[3]
      nickname = row[4]
      photo = row[5]
    }

    func encode(to container: inout PersistenceContainer) {
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
