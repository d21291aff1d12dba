internal import Foundation
internal import GRDB
internal import Workloads

/// A person, in the table of people or of residents.
protocol PersonRecord: Identifiable, FetchableRecord, PersistableRecord, Sendable
where ID == String, Columns: PersonColumns, DatabaseComponents == Columns.Type {
  var name: String { get }
  var age: Int { get set }
  var height: Double { get }
  var nickname: String? { get }
  var photo: Data { get }

  init(_ person: PlainPerson)
}

/// The columns that requests use.
protocol PersonColumns {
  static var age: Column { get }
}
