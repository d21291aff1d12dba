import Foundation
import MagicSchema
import Magical
import Testing

private struct Person: MagicObject {
  static var indexes: [MagicIndex<Person>] {
    [MagicIndex(\.$name, \.$age), MagicIndex(\.$email, isUnique: true), MagicIndex(\.$age)]
  }

  @PrimaryMagicValue var id: UUID
  @MagicValue(.named("full name"), .wasNamed("title")) var name: String
  @MagicValue(.indexed) var age: Int = 3
  @OptionMagicValue(.unique) var email: String?
  @OptionMagicValue var photo: Data?
  @MagicValue var price: Decimal = 0
  @MagicValue var tags: Set<String> = []
  var plain = 1
  var computed: Int { age + 1 }

  init() {}
}

private struct Custom: MagicObject {
  static var tableName: String { "custom table" }
  @MagicValue var value: Int = 0
  init() {}
}

private struct Box<Value: Magical & Sendable>: MagicObject {
  @OptionMagicValue var value: Value?
  init() {}
}

private struct Every: MagicObject {
  @MagicValue var bool = false
  @MagicValue var int = 0
  @MagicValue var int8 = Int8(0)
  @MagicValue var uint64 = UInt64(0)
  @MagicValue var double = 0.0
  @MagicValue var float = Float(0)
  @MagicValue var date = Date()
  @MagicValue var string = ""
  @MagicValue var uuid = UUID()
  @MagicValue var data = Data()
  @MagicValue var bytes: [UInt8] = []
  @MagicValue var url = URL(fileURLWithPath: "/")
  @MagicValue var numbers: [Int] = []
  init() {}
}

@Suite struct ReflectionTests {
  @Test func columnsAreInTheOrderOfTheDeclaration() throws {
    let schema = try ObjectSchema.of(Person.self)
    #expect(
      schema.columns.map(\.property) == ["id", "name", "age", "email", "photo", "price", "tags"])
    #expect(
      schema.columns.map(\.name) == ["id", "full name", "age", "email", "photo", "price", "tags"])
    #expect(
      schema.columns.map(\.role)
        == [.primary, .required, .required, .optional, .optional, .required, .required])
    #expect(schema.columns.map(\.isNullable) == [false, false, false, true, true, false, false])
    #expect(
      schema.columns.map(\.storageClass) == [.text, .text, .integer, .text, .blob, .text, .blob])
    #expect(schema.columns[1].formerNames == ["title"])
    #expect(schema.columns[0].formerNames.isEmpty)
    #expect(schema.columns[2].isIndexed)
    #expect(schema.columns[3].isUnique)
    #expect(ObjectIdentifier(schema.columns[4].valueType) == ObjectIdentifier(Data.self))
    #expect(schema.primary == 0)
    #expect(schema.typeName == "Person")
    #expect(schema.tableName == "Person")
  }

  @Test func aSchemaIsCreatedOnce() async throws {
    let schema = try ObjectSchema.of(Custom.self)
    #expect(try ObjectSchema.of(Custom.self) === schema)
    let same = try await withThrowingTaskGroup(of: ObjectSchema.self) { group in
      for _ in 0..<32 { group.addTask { try ObjectSchema.of(Every.self) } }
      return try await group.reduce(into: Set<ObjectIdentifier>()) {
        $0.insert(ObjectIdentifier($1))
      }
    }
    #expect(same.count == 1)
  }

  @Test func typesHaveDifferentOrdinals() throws {
    let ordinals = [
      try ObjectSchema.of(Person.self).ordinal, try ObjectSchema.of(Custom.self).ordinal,
      try ObjectSchema.of(Every.self).ordinal,
    ]
    #expect(Set(ordinals).count == 3)
  }

  @Test func commonTypesAreReadDirectly() throws {
    let schema = try ObjectSchema.of(Every.self)
    #expect(
      schema.columns.map(\.codec) == [
        .bool, .int, .int8, .uint64, .double, .float, .date, .string, .uuid, .data, .bytes,
        .converted, .converted,
      ])
  }

  @Test func indexesComeFromOptionsAndFromTheType() throws {
    let schema = try ObjectSchema.of(Person.self)
    #expect(
      schema.indexes == [
        IndexSchema(table: "Person", columns: ["id"], isUnique: true),
        IndexSchema(table: "Person", columns: ["age"], isUnique: false),
        IndexSchema(table: "Person", columns: ["email"], isUnique: true),
        IndexSchema(table: "Person", columns: ["full name", "age"], isUnique: false),
      ])
    #expect(Set(schema.indexes.map(\.name)).count == schema.indexes.count)
  }

  @Test func theTypeDeterminesTheTableName() throws {
    #expect(try ObjectSchema.of(Custom.self).tableName == "custom table")
    #expect(try ObjectSchema.of(Custom.self).typeName == "Custom")
  }

  @Test func genericTypesHaveATableEach() throws {
    let integers = try ObjectSchema.of(Box<Int>.self)
    let texts = try ObjectSchema.of(Box<String>.self)
    #expect(integers !== texts)
    #expect(integers.tableName == "Box<Int>")
    #expect(texts.tableName == "Box<String>")
    #expect(integers.columns[0].storageClass == .integer)
    #expect(texts.columns[0].storageClass == .text)
  }

  @Test func typesInsideFunctionsAreReflected() throws {
    struct Local: MagicObject {
      @MagicValue(.indexed) var depth: Int = 1
      init() {}
    }
    let schema = try ObjectSchema.of(Local.self)
    #expect(schema.tableName == "Local")
    #expect(schema.columns.map(\.property) == ["depth"])
    #expect(schema.columns[0].isIndexed)
  }

  @Test func typesWithOneNameAreDistinguished() throws {
    func first() throws -> ObjectSchema {
      struct Twin: MagicObject {
        @MagicValue var a: Int = 1
        init() {}
      }
      return try ObjectSchema.of(Twin.self)
    }
    func second() throws -> ObjectSchema {
      struct Twin: MagicObject {
        @MagicValue var b: Int = 1
        init() {}
      }
      return try ObjectSchema.of(Twin.self)
    }
    #expect(try first().tableName == second().tableName)
    #expect(try first().columns[0].name == "a")
    #expect(try second().columns[0].name == "b")
    #expect(try first().fingerprint != second().fingerprint)
  }

  @Test func aFingerprintIsSixteenHexadecimalDigitsAndDoesNotChange() throws {
    let fingerprint = try ObjectSchema.of(Person.self).fingerprint
    #expect(fingerprint.count == 16)
    #expect(fingerprint.allSatisfy { $0.isHexDigit })
    #expect(try ObjectSchema.of(Person.self).fingerprint == fingerprint)
  }
}
