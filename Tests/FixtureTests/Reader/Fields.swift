import Foundation
import MagicAsync
import MagicRelations
import MagicStore

/// A type that the reader must read as the library does.
protocol ReadByFormat: MagicObject {
  /// All properties, with the values of the object.
  func fields(_ store: MagicObjectStore) throws -> [Field]
}

extension ReadByFormat {
  /// Returns the lines of all objects of the type.
  ///
  /// - Parameter isDescribed: whether the file describes the properties of the type.
  static func lines(_ store: MagicObjectStore, isDescribed: Bool) throws -> [ReaderLine] {
    try store.object(of: Self.self).flatMap { object in
      try object.fields(store).compactMap { field in
        guard let value = isDescribed ? field.described : field.stored else { return nil }
        return ReaderLine(
          table: tableName, row: object.zIndex?.rawValue ?? 0, type: "\(Self.self)",
          property: isDescribed ? field.property : field.column, form: value.form,
          value: value.json)
      }
    }
  }
}

extension Person: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("id", id), .text("name", name), .integer("age", age), .real("height", height),
      .date("born", born), .text("token", token.uuidString, form: "uuid"),
      .text("balance", "\(balance)", form: "decimal"),
      .data("picture", named: "picture of a \"face\"", picture),
      .text("mood", mood.rawValue, form: "enum"), try .json("job", job),
      try .json("tags", tags.sorted()), try .json("lines", lines),
    ]
  }
}

extension Measure: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("id", id.uuidString, form: "uuid"), .integer("small", small),
      .integer("natural", natural), .integer("huge", huge), .bool("isTrue", isTrue),
      .bool("isSure", isSure), .real("ratio", Double(ratio)), .real("real", real),
      .text("link", link.absoluteString, form: "url"),
      .data("bytes", named: "the bytes", Data(bytes)), .data("data", data), .text("note", note),
      .integer("rank", rank.rawValue, form: "enum"), .real("warmth", warmth?.degrees),
      try .json("scores", scores),
    ]
  }
}

extension Ticket: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [.integer("number", number), .text("title", title)]
  }
}

extension Stamp: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [.integer("value", value), .text("motif", motif)]
  }
}

extension Book: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("isbn", isbn), .text("series", named: "series' name", series),
      .integer("volume", volume), .integer("year", year),
    ]
  }
}

extension Ledger: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("code", code), .integer("amount", amount), .text("town", town),
      .text("remark", remark), .bool("isOpen", isOpen), .real("rate", rate),
      .text("currency", currency),
    ]
  }
}

extension City: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    let homes = try store.object(of: Home.self).filter { $0.city.zIndex == zIndex }
    return [.integer("number", number), .text("name", name), .inverse("homes", homes)]
  }
}

extension Street: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] { [.text("name", name)] }
}

extension Room: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] { [.text("label", label)] }
}

extension Home: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("name", name), .one("city", city), .one("street", named: "the street", street),
      .one("owner", owner), .one("parent", parent), .one("keeper", keeper),
      .list("residents", residents), .list("rooms", rooms), .set("neighbours", neighbours),
      .set("landlords", landlords), .dictionary("phones", phones),
      .dictionary("floors", named: "by floor", floors),
    ]
  }
}

extension Knot: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [.integer("number", number), .one("next", next)]
  }
}

extension Twin: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [.text("name", name), .one("other", other)]
  }
}

extension Cupboard: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("label", label), .list("content", named: "what is in it", content),
      try .dictionary("spots", keysAsJSON: spots),
    ]
  }
}

extension Score: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [.integer("number", number), .integer("total", total), .text("remark", remark)]
  }
}

extension Photo: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .integer("number", number), try .asset("image", named: "the image", image),
      try .asset("caption", caption), try .asset("letter", letter),
    ]
  }
}

extension Library: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .text("name", name), .one("keeper", try keeper.get(in: store)),
      .one("deputy", try deputy?.get(in: store)), .list("photos", try photos.get(in: store)),
      .set("readers", try readers.get(in: store)),
      .dictionary("titles", try titles.get(in: store)),
      .dictionary("years", named: "by year", try years.get(in: store)),
      try .asset("text", try text.get(in: store)), try .asset("cover", try cover?.get(in: store)),
    ]
  }
}

extension Parcel: ReadByFormat {
  func fields(_ store: MagicObjectStore) throws -> [Field] {
    [
      .integer("number", number), .integer("grams", grams), .text("sender", sender),
      .text("content", content), .set("stamps", stamps), try .asset("slip", slip),
      try .json("rates", rates),
    ]
  }
}

extension Fixture {
  /// The types that have objects in the file.
  var typesWithObjects: [any ReadByFormat.Type] {
    var types: [any ReadByFormat.Type] = [
      Person.self, Measure.self, Ticket.self, Stamp.self, Book.self, Ledger.self,
    ]
    if Fixture.withRelationships.contains(self) {
      types += [
        City.self, Street.self, Room.self, Home.self, Knot.self, Twin.self, Cupboard.self,
      ]
    }
    if Fixture.withQueries.contains(self) { types.append(Score.self) }
    if Fixture.withAssets.contains(self) { types += [Photo.self, Library.self] }
    if Fixture.withMigrations.contains(self) { types.append(Parcel.self) }
    return types
  }
}
