import Foundation
import MagicSQLite
import MagicTestSupport

@testable import CoreDataImport

/// A store of a shop in the form of Core Data: inheritance, ordered, symmetric and many-to-many
/// relationships, external data, and an attribute of each type.
struct ShopStore {
  let directory: TemporaryDirectory
  let path: String

  static let id1 = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  static let picture = [UInt8]((0..<5_000).map { UInt8(truncatingIfNeeded: $0) })
  static let pictureFile = "0A3B0E55-4D55-4F2B-B1B5-1B0C7E0C4A10"

  /// - Parameter content: the content of `Z_MODELCACHE`; nil for that of the model.
  init(content: [UInt8]? = nil, hasCache: Bool = true, usesLog: Bool = false) throws {
    directory = try TemporaryDirectory()
    path = directory.file("Shop.store").path
    let connection = try SQLiteConnection(path: path)
    if !usesLog { try connection.execute("PRAGMA journal_mode = DELETE") }
    try Self.create(on: connection)
    if hasCache {
      try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
      let statement = try connection.prepare("INSERT INTO Z_MODELCACHE VALUES (?)")
      let bytes = content ?? stored(ModelWriter(Self.entities).archive())
      try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
      try statement.run()
    }
    connection.close()
    try writeExternal(Self.picture, named: Self.pictureFile)
  }

  var externalFolder: String { directory.file(".Shop_SUPPORT/_EXTERNAL_DATA").path }

  func writeExternal(_ bytes: [UInt8], named name: String) throws {
    try FileManager.default.createDirectory(
      atPath: externalFolder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(externalFolder)/\(name)"))
  }

  func execute(_ sql: String) throws {
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    try connection.execute(sql)
  }

  func file(_ name: String) -> String { directory.file(name).path }

  // MARK: The model

  static let entities: [CoreDataModel.Entity] = {
    var category = CoreDataModel.Entity(name: "Category")
    category.attributes = [attribute("title", .string)]
    category.relationships = [
      relationship("products", "Product", "categories", many: true)
    ]
    category.uniqueKeys = [["title"]]
    var line = CoreDataModel.Entity(name: "Line")
    line.attributes = [attribute("quantity", .integer32, default: .integer(1))]
    line.relationships = [
      relationship("order", "Order", "lines", optional: false),
      relationship("product", "Product", "lines", optional: true),
    ]
    var order = CoreDataModel.Entity(name: "Order")
    order.attributes = [
      attribute("number", .integer64),
      attribute("total", .decimal, optional: true),
      attribute("isPaid", .boolean, default: .integer(0)),
      attribute("discount", .double, default: .real(0.5)),
      attribute("weight", .float, optional: true),
      attribute("placed", .date, default: .real(86_400)),
      attribute("remark", .string, default: .text("no \"remark\"")),
      attribute("cachedTotal", .double, optional: true, transient: true),
    ]
    order.uniqueKeys = [["number"]]
    order.relationships = [
      relationship("customer", "Party", "orders", optional: true),
      relationship("lines", "Line", "order", many: true, ordered: true, rule: .cascade),
      relationship("tags", "Tag", "orders", many: true),
    ]
    order.otherProperties = ["recent"]
    var party = CoreDataModel.Entity(name: "Party")
    party.isAbstract = true
    party.attributes = [attribute("name", .string), attribute("note", .string, optional: true)]
    party.relationships = [relationship("orders", "Order", "customer", many: true, rule: .deny)]
    var company = CoreDataModel.Entity(name: "Company")
    company.parent = "Party"
    company.attributes = [attribute("rank", .integer16, optional: true)]
    var person = CoreDataModel.Entity(name: "Person")
    person.parent = "Party"
    person.attributes = [
      attribute("birthday", .date, optional: true), attribute("id", .uuid),
      attribute("rank", .integer32, optional: true),
    ]
    person.uniqueKeys = [["id"]]
    person.relationships = [relationship("friends", "Person", "friends", many: true)]
    var product = CoreDataModel.Entity(name: "Product")
    product.attributes = [
      attribute("link", .uri, optional: true), attribute("manual", .binary, optional: true),
      attribute("picture", .binary, optional: true, external: true),
      attribute("recipe", .transformable, optional: true), attribute("sku", .string, primary: true),
    ]
    product.relationships = [
      relationship("categories", "Category", "products", many: true, ordered: true),
      relationship("lines", "Line", "product", many: true),
      relationship("similar", "Product", nil, many: true),
    ]
    var tag = CoreDataModel.Entity(name: "Tag")
    tag.attributes = [attribute("label", .string)]
    tag.relationships = [relationship("orders", "Order", "tags", many: true)]
    return [category, company, line, order, party, person, product, tag]
  }()

  private static func attribute(
    _ name: String, _ kind: CoreDataModel.Attribute.Kind, optional: Bool = false,
    default value: CoreDataModel.Attribute.Default? = nil, transient: Bool = false,
    external: Bool = false, primary: Bool = false
  ) -> CoreDataModel.Attribute {
    var attribute = CoreDataModel.Attribute(name: name, kind: kind)
    (attribute.isOptional, attribute.defaultValue) = (optional, value)
    (attribute.isTransient, attribute.isExternal) = (transient, external)
    attribute.isPrimary = primary
    return attribute
  }

  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String?, many: Bool = false,
    ordered: Bool = false, optional: Bool = true,
    rule: CoreDataModel.Relationship.DeleteRule = .nullify
  ) -> CoreDataModel.Relationship {
    var relationship = CoreDataModel.Relationship(name: name, destination: destination)
    (relationship.inverse, relationship.isToMany) = (inverse, many)
    (relationship.isOrdered, relationship.isOptional) = (ordered, optional)
    relationship.deleteRule = rule
    return relationship
  }

  // MARK: The rows

  private static func create(on connection: SQLiteConnection) throws {
    let inline = "X'01\(hex([7, 8, 9]))'"
    let file = "X'02\(hex(Array(pictureFile.utf8)))00'"
    let key = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    for sql in [
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)",
      "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Category', 0, 2), (2, 'Line', 0, 4), "
        + "(3, 'Order', 0, 20), (4, 'Party', 0, 4), (5, 'Company', 4, 0), (6, 'Person', 4, 0), "
        + "(7, 'Product', 0, 3), (8, 'Tag', 0, 2)",
      "CREATE TABLE ZCATEGORY (\(key), ZTITLE VARCHAR)",
      "INSERT INTO ZCATEGORY VALUES (1, 1, 1, 'Tea'), (2, 1, 1, 'Gifts')",
      "CREATE TABLE ZPARTY (\(key), ZNAME VARCHAR, ZNOTE VARCHAR, ZRANK INTEGER, "
        + "ZBIRTHDAY TIMESTAMP, ZID BLOB, ZRANK1 INTEGER)",
      "INSERT INTO ZPARTY VALUES (1, 6, 1, 'Ada', NULL, NULL, -12345.5, "
        + "X'\(id1.replacing("-", with: ""))', 70000), "
        + "(2, 5, 1, 'Müller & Söhne', 'a' || char(0) || 'b', 3, NULL, NULL, NULL), "
        + "(3, 6, 1, 'Grace', '', NULL, NULL, X'00000000000000000000000000000003', NULL), "
        + "(4, 6, 1, 'Zoë', NULL, NULL, 0, X'00000000000000000000000000000004', 1)",
      "CREATE TABLE ZORDER (\(key), ZNUMBER INTEGER, ZTOTAL DECIMAL, ZISPAID INTEGER, "
        + "ZDISCOUNT FLOAT, ZWEIGHT FLOAT, ZPLACED TIMESTAMP, ZREMARK VARCHAR, ZCUSTOMER INTEGER, "
        + "Z4_CUSTOMER INTEGER)",
      "INSERT INTO ZORDER VALUES (7, 3, 1, 100, 12.34, 1, 0.1, 1.5, 700000000.25, 'x', 1, 6), "
        + "(9, 3, 1, 101, 5, 0, 2, NULL, 700000001, NULL, 2, 5), "
        + "(11, 3, 2, 102, NULL, 0, 0, NULL, NULL, 'y', NULL, NULL)",
      "CREATE TABLE ZLINE (\(key), ZQUANTITY INTEGER, ZORDER INTEGER, Z_FOK_ORDER INTEGER, "
        + "ZPRODUCT INTEGER)",
      "INSERT INTO ZLINE VALUES (1, 2, 1, 5, 7, 3072, 1), (2, 2, 1, 6, 7, 1024, 2), "
        + "(3, 2, 1, NULL, 7, 2048, NULL), (4, 2, 1, 8, 9, 1024, 1)",
      "CREATE TABLE ZPRODUCT (\(key), ZLINK VARCHAR, ZMANUAL BLOB, ZPICTURE BLOB, ZRECIPE BLOB, "
        + "ZSKU VARCHAR, Z7SIMILAR INTEGER)",
      "INSERT INTO ZPRODUCT VALUES (1, 7, 1, 'https://example.com/tea?a=1', X'', \(file), X'0102', "
        + "'TEA', NULL), "
        + "(2, 7, 1, NULL, X'FF', \(inline), NULL, 'CUP', 1), (3, 7, 1, NULL, NULL, NULL, NULL, 'POT', 1)",
      "CREATE TABLE ZTAG (\(key), ZLABEL VARCHAR)",
      "INSERT INTO ZTAG VALUES (1, 8, 1, 'new'), (2, 8, 1, 'hot')",
      "CREATE TABLE Z_1PRODUCTS (Z_1CATEGORIES INTEGER, Z_7PRODUCTS INTEGER, "
        + "Z_FOK_1CATEGORIES INTEGER, PRIMARY KEY (Z_1CATEGORIES, Z_7PRODUCTS))",
      "INSERT INTO Z_1PRODUCTS VALUES (1, 1, 2048), (2, 1, 1024), (2, 2, 1024)",
      "CREATE TABLE Z_3TAGS (Z_3ORDERS INTEGER, Z_8TAGS INTEGER, PRIMARY KEY (Z_3ORDERS, Z_8TAGS))",
      "INSERT INTO Z_3TAGS VALUES (7, 1), (7, 2), (9, 2)",
      "CREATE TABLE Z_6FRIENDS (Z_6FRIENDS INTEGER, REFLEXIVE INTEGER, "
        + "PRIMARY KEY (Z_6FRIENDS, REFLEXIVE))",
      "INSERT INTO Z_6FRIENDS VALUES (1, 3), (3, 4)",
    ] {
      try connection.execute(sql)
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
