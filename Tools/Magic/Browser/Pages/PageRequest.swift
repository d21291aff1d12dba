import Foundation
import MagicInspection

/// A request for a page, with what every page needs.
struct PageRequest {
  let reader: any DatabaseReading
  let database: InspectedDatabase
  /// The name of the database.
  let name: String
  let link: Link
  /// What changes objects; nil if the pages only read.
  var editing: Editing?

  /// The notation in which a page is sent.
  enum Notation { case page, json, csv }

  /// The first parameter of a name; nil if there is none or if it is empty.
  func parameter(_ name: String) -> String? {
    let value = link.parameters.first { $0.name == name }?.value
    return value?.isEmpty == true ? nil : value
  }

  /// Returns the page of the address.
  func response() throws -> SiteResponse {
    let (path, notation) = Self.notation(of: link.path) { database.type(ofTable: $0) != nil }
    switch path.first {
    case nil: return try TypesPage(request: self).response(notation)
    case "types" where path.count == 1: return try TypesPage(request: self).response(notation)
    case "schema" where path.count == 1: return try SchemaPage(request: self).response(notation)
    case "sql" where path.count == 1: return try SQLPage(request: self).response(notation)
    case "type" where path.count == 2:
      return try RowsPage(request: self, type: type(path[1])).response(notation)
    case "type" where path.count == 3:
      return try ObjectPage(request: self, type: type(path[1]), rowID: rowID(path[2]))
        .response(notation)
    case "type" where path.count == 5 && path[3] == "members":
      return try MembersPage(
        request: self, type: type(path[1]), rowID: rowID(path[2]), kind: .members(path[4])
      ).response(notation)
    case "type" where path.count == 6 && path[3] == "references":
      return try MembersPage(
        request: self, type: type(path[1]), rowID: rowID(path[2]),
        kind: .referrers(table: path[4], property: path[5])
      ).response(notation)
    case "value" where path.count == 4:
      return try ValueFile(
        request: self, type: type(path[1]), rowID: rowID(path[2]), column: path[3]
      ).response()
    default: throw InspectionError(.notFound, "There is no page at this address.")
    }
  }

  /// Removes `.json` or `.csv` from the last name, unless a table has that name.
  static func notation(
    of path: [String], isTable: (String) -> Bool = { _ in false }
  ) -> (path: [String], notation: Notation) {
    guard let last = path.last, path.first != "value", !(path.count == 2 && isTable(last)) else {
      return (path, .page)
    }
    for (suffix, notation) in [(".json", Notation.json), (".csv", .csv)]
    where last.hasSuffix(suffix) {
      return (path.dropLast() + [String(last.dropLast(suffix.count))], notation)
    }
    return (path, .page)
  }

  private func type(_ table: String) throws -> InspectedType {
    guard let type = database.type(ofTable: table) else {
      throw InspectionError(.notFound, "The database has no type with this table.")
    }
    return type
  }

  private func rowID(_ text: String) throws -> Int64 {
    guard let number = Int64(text) else {
      throw InspectionError(.notFound, "The address of an object ends with its row ID.")
    }
    return number
  }

  /// The address of the same page in another notation.
  func link(as suffix: String) -> Link {
    var link = link.without("via")
    if link.path.isEmpty { link.path = ["types"] }
    link.path[link.path.count - 1] += suffix
    return link
  }

  /// Sends a table as JSON or CSV.
  static func response(_ table: DataTable, _ notation: Notation) -> SiteResponse {
    notation == .csv
      ? .text(table.csv(), type: "text/csv")
      : .json(table.json())
  }
}

/// The addresses of pages.
extension Link {
  static let types = Link([])
  static let schema = Link(["schema"])
  static let sql = Link(["sql"])

  static func creation(_ table: String) -> Link { Link(["type", table, "new"]) }
  static func edit(_ table: String, _ rowID: Int64) -> Link {
    Link(["type", table, String(rowID), "edit"])
  }
  static func deletion(_ table: String, _ rowID: Int64) -> Link {
    Link(["type", table, String(rowID), "delete"])
  }

  static func rows(_ table: String) -> Link { Link(["type", table]) }

  static func object(_ table: String, _ rowID: Int64, trail: [Parameter] = []) -> Link {
    Link(["type", table, String(rowID)], trail)
  }

  static func value(_ table: String, _ rowID: Int64, _ column: String) -> Link {
    Link(["value", table, String(rowID), column])
  }
}
