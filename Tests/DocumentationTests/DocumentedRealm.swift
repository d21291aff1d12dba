import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The example that writes the objects of a Realm, with stand-ins for Realm's declarations.
@Suite struct DocumentedRealm {
  struct Tag: MagicObject {
    @PrimaryMagicValue var name: String

    init() {}
  }

  struct TodoItem: MagicObject {
    @PrimaryMagicValue var id: UUID
    @MagicValue var title: String
    @MagicValue var isDone: Bool = false
    @MagicValue var due: Date = Date(timeIntervalSinceReferenceDate: 0)
    @MagicValue var weight: Double = 0
    @MagicValue var count: Int = 0
    @MagicValue var icon: Data = Data()
    @OptionMagicValue var price: Decimal?
    @OptionMagicValue var remote: String?
    @OptionMagicValue var parent: TodoItem?
    @MagicValue var tags: MagicalSet<Tag> = []
    @MagicValue var steps: [TodoItem] = []

    init() {}
  }

  static func realm() -> Realm {
    let tag = ObjectSchema("Tag", key: "name", [("name", .string), ("items", .linkingObjects)])
    let item = ObjectSchema(
      "TodoItem", key: "id",
      [
        ("id", .UUID), ("title", .string), ("isDone", .bool), ("due", .date), ("weight", .double),
        ("count", .int), ("icon", .data), ("price", .decimal128), ("remote", .objectId),
        ("parent", .object), ("tags", .object), ("steps", .object),
      ])
    item.properties[10].isSet = true
    item.properties[11].isArray = true
    let tags = ["errands", "home \"x\""].map { DynamicObject(tag, ["name": $0]) }
    let milk = DynamicObject(
      item,
      [
        "id": UUID(uuidString: "00000000-0000-0000-0000-00000000000a"), "title": "Buy\nmilk",
        "isDone": true, "due": Date(timeIntervalSinceReferenceDate: 1.5), "weight": 0.1, "count": 3,
        "icon": Data([0, 255]), "price": Decimal128(stringValue: "1.25"),
        "remote": ObjectId(stringValue: "5f43"),
      ])
    let shop = DynamicObject(
      item,
      [
        "id": UUID(uuidString: "00000000-0000-0000-0000-00000000000B"), "title": "Shop",
        "isDone": false, "due": Date(timeIntervalSinceReferenceDate: 0), "weight": 2.0, "count": 0,
        "icon": Data(),
      ])
    milk.values["parent"] = shop
    milk.members["tags"] = tags
    shop.members["steps"] = [milk, shop, milk]
    return Realm(
      schema: Schema(objectSchema: [tag, item]), objects: ["Tag": tags, "TodoItem": [milk, shop]])
  }

  @Test func anExportOfRealmStudioIsImported() async throws {
    let directory = try TemporaryDirectory()
    let export = directory.file("export.json").path
    let json = """
      [{"Tag":"1","TodoItem":"2"},["3"],["4","5"],{"name":"6"},
       {"id":"7","title":"8","isDone":true,"due":"9","icon":"10","tags":"1","parent":"5","steps":"11"},
       {"id":"12","title":"13","isDone":false,"tags":"1","parent":null,"steps":"14"},
       "errands","00000000-0000-0000-0000-00000000000A","Milk","2001-01-01T00:00:02.000Z","AP8=",[],
       "00000000-0000-0000-0000-00000000000B","Shop",["4"]]
      """
    try Data(json.utf8).write(to: URL(fileURLWithPath: export))
    let magic = try await MagicData(type: .temporary)

    let items = MagicImport(TodoItem.self, from: export)
    print(try await magic.importPlan(for: items))
    try await magic.importObjects(items)

    let imported = try await magic.query(TodoItem.self).order(by: \.$title).all()
    #expect(imported.map(\.title) == ["Milk", "Shop"] && imported[0].isDone)
    #expect(imported[0].due == Date(timeIntervalSinceReferenceDate: 2))
    #expect(imported[0].icon == Data([0, 255]) && imported[0].parent?.id == imported[1].id)
    #expect(imported.map { $0.tags.map(\.name) } == [["errands"], ["errands"]])
    #expect(imported[1].steps.map(\.title) == ["Milk"])
    await magic.close()
  }

  @Test func theObjectsOfARealmAreImported() async throws {
    let directory = try TemporaryDirectory()
    let (path, folder) = (directory.file("empty.sqlite3").path, directory.file("todo").path)
    let lines = directory.file("lines")
    try FileManager.default.createDirectory(at: lines, withIntermediateDirectories: true)
    try writeLines(of: Self.realm(), to: lines)

    let magic = try await MagicData(path: path)
    let item = TodoItem()
    item.title = ""
    try await magic.update(item)
    try await magic.remove(item)
    await magic.close()
    try await MagicData.copy(from: .file(path), to: .folder(folder))

    let names = try FileManager.default.contentsOfDirectory(atPath: lines.path)
    #expect(
      Set(names) == ["Tag.jsonl", "TodoItem.jsonl", "TodoItem.tags.jsonl", "TodoItem.steps.jsonl"])
    // The commands of the guide.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = lines.deletingLastPathComponent()
    process.arguments = [
      "-c",
      """
      set -e
      cp lines/*.jsonl todo/
      sed -i.old -e '/"rows" :/d' -e '/"members" :/d' todo/database.json && rm todo/database.json.old
      """,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let imported = directory.file("todo.sqlite3").path
    try await MagicData.copy(from: .folder(folder), to: .file(imported))

    let todo = try await MagicData(path: imported)
    let items = try await todo.query(TodoItem.self).order(by: \.$title).all()
    #expect(items.map(\.title) == ["Buy\nmilk", "Shop"])
    let (milk, shop) = (items[0], items[1])
    #expect(milk.id.uuidString == "00000000-0000-0000-0000-00000000000A")
    #expect(milk.isDone && milk.due == Date(timeIntervalSinceReferenceDate: 1.5))
    #expect(milk.weight == 0.1 && milk.count == 3 && milk.icon == Data([0, 255]))
    #expect(milk.price == Decimal(string: "1.25") && milk.remote == "5f43")
    #expect(milk.parent?.id == shop.id && shop.parent == nil && shop.price == nil)
    #expect(Set(milk.tags.map(\.name)) == ["errands", "home \"x\""])
    #expect(shop.steps.map(\.title) == ["Buy\nmilk", "Shop", "Buy\nmilk"])
    // New objects get other row IDs.
    let new = TodoItem()
    new.title = "New"
    try await todo.update(new)
    #expect(try await todo.query(TodoItem.self).count() == 3)
    #expect(try await todo.verify().isSound)
    await todo.close()
  }

  func writeLines(of realm: Realm, to folder: URL) throws {
    var rows: [String: Int] = [:]  // by class and primary key
    func id(_ object: DynamicObject) -> String? {
      object.objectSchema.primaryKeyProperty.map {
        "\(object.objectSchema.className) \(object[$0.name] ?? "")"
      }
    }
    func value(_ value: Any?) -> Any? {
      switch value {
      case let object as DynamicObject: id(object).flatMap { rows[$0] }
      case let date as Date: date.timeIntervalSinceReferenceDate
      case let data as Data: data.base64EncodedString()
      case let uuid as UUID: uuid.uuidString
      case let id as ObjectId: id.stringValue
      case let number as Decimal128: number.stringValue
      default: value
      }
    }
    for type in realm.schema.objectSchema {
      for (index, object) in realm.dynamicObjects(type.className).enumerated() {
        if let id = id(object) { rows[id] = index + 1 }
      }
    }
    for type in realm.schema.objectSchema {
      var files = [type.className: Data()]
      func add(_ line: [String: Any], to file: String) throws {
        files[file, default: Data()] += try JSONSerialization.data(withJSONObject: line) + [0x0A]
      }
      for (index, object) in realm.dynamicObjects(type.className).enumerated() {
        var line: [String: Any] = ["z_index": index + 1]
        for property in type.properties where property.type != .linkingObjects {
          guard property.isArray || property.isSet else {
            line[property.name] = value(object[property.name])
            continue
          }
          let targets =
            property.isSet
            ? Array(object.dynamicMutableSet(property.name))
            : Array(object.dynamicList(property.name))
          for (place, target) in targets.enumerated() {
            var member: [String: Any] = ["owner": index + 1]
            member["target"] = value(target)
            if property.isArray { member["position"] = (place + 1) << 24 }
            try add(member, to: "\(type.className).\(property.name)")
          }
        }
        try add(line, to: type.className)
      }
      for (name, lines) in files {
        try lines.write(to: folder.appendingPathComponent(name + ".jsonl"))
      }
    }
  }
}

// MARK: Stand-ins

enum PropertyType {
  case int, bool, double, string, data, date, object, linkingObjects, objectId, decimal128, UUID
}

struct Property {
  let name: String
  let type: PropertyType
  var isArray = false
  var isSet = false
}

struct ObjectId { let stringValue: String }
struct Decimal128 { let stringValue: String }

final class ObjectSchema {
  let className: String
  let primaryKeyProperty: Property?
  var properties: [Property]

  init(_ className: String, key: String, _ properties: [(String, PropertyType)]) {
    self.className = className
    self.properties = properties.map { Property(name: $0.0, type: $0.1) }
    primaryKeyProperty = self.properties.first { $0.name == key }
  }
}

final class DynamicObject {
  let objectSchema: ObjectSchema
  var values: [String: Any?]
  var members: [String: [DynamicObject]] = [:]

  init(_ objectSchema: ObjectSchema, _ values: [String: Any?]) {
    self.objectSchema = objectSchema
    self.values = values
  }

  subscript(name: String) -> Any? { values[name] ?? nil }
  func dynamicList(_ name: String) -> [DynamicObject] { members[name] ?? [] }
  func dynamicMutableSet(_ name: String) -> [DynamicObject] { members[name] ?? [] }
}

struct Schema { let objectSchema: [ObjectSchema] }

struct Realm {
  let schema: Schema
  let objects: [String: [DynamicObject]]

  func dynamicObjects(_ name: String) -> [DynamicObject] { objects[name] ?? [] }
}
