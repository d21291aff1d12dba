internal import Foundation
internal import GRDB
internal import Workloads

extension GRDBCodable {
  struct Person: Codable, FetchableRecord, PersistableRecord {
    /// The table's own key: nil until a record was fetched.
    var zIndex: Int64?
    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    enum CodingKeys: String, CodingKey {
      case zIndex = "z_index"
      case id, name, age, height, nickname, photo
    }

    enum Columns {
      static let id = Column(CodingKeys.id)
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
  struct Resident: Codable, FetchableRecord, PersistableRecord {
    var zIndex: Int64?
    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?
    var photo: Data

    enum CodingKeys: String, CodingKey {
      case zIndex = "z_index"
      case id, name, age, height, nickname, photo
    }

    enum Columns {
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
