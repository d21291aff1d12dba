internal import Foundation
internal import GRDB
internal import Workloads

extension GRDBCodable {
  struct Person: Codable, PersonRecord {
    static let databaseTableName = "person"

    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    enum Columns: PersonColumns {
      static let age = Column(CodingKeys.age)
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
  struct Resident: Codable, PersonRecord {
    static let databaseTableName = "resident"

    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    enum Columns: PersonColumns {
      static let age = Column(CodingKeys.age)
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
