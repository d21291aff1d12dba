import Foundation
import MagicData
import MagicTestSupport
import Testing

@testable import CoreDataImport

/// The models of stores and of apps.
@Suite struct ModelTests {
  /// The entities with their properties in the order of the names.
  private static func text(_ entities: [CoreDataModel.Entity]) -> String {
    entities.sorted { $0.name < $1.name }.map { entity in
      var entity = entity
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      return "\(entity)"
    }.joined(separator: "\n")
  }

  private static let archive = ModelWriter(ShopStore.entities).archive()

  @Test(arguments: [true, false])
  func anArchiveIsReadCompletely(_ usesProxies: Bool) throws {
    let archive = ModelWriter(ShopStore.entities, usesProxies: usesProxies).archive()
    let model = try ModelArchive.model(compressed: stored(archive))
    #expect(Self.text(model.entities) == Self.text(ShopStore.entities))
  }

  @Test func aDocumentIsReadCompletely() throws {
    let document = DocumentWriter.document(ShopStore.entities)
    let model = try ModelDocument.model(Array(document.utf8))
    #expect(Self.text(model.entities) == Self.text(ShopStore.entities))
  }

  @Test func foldersNameTheirCurrentModel() throws {
    let directory = try TemporaryDirectory()
    let manager = FileManager.default
    let source = directory.file("Shop.xcdatamodeld").path
    let old = [CoreDataModel.Entity(name: "Old")]
    for (name, entities) in [("Shop", old), ("Shop 2", ShopStore.entities)] {
      let folder = "\(source)/\(name).xcdatamodel"
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(DocumentWriter.document(entities).utf8)
        .write(to: URL(fileURLWithPath: folder + "/contents"))
    }
    #expect(throws: MagicError.self) { try ModelFile.model(at: source) }
    try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "Shop 2.xcdatamodel"], format: .xml, options: 0
    ).write(to: URL(fileURLWithPath: source + "/.xccurrentversion"))
    #expect(try ModelFile.model(at: source).entities.count == ShopStore.entities.count)
    #expect(try ModelFile.model(at: source + "/Shop.xcdatamodel").entities.map(\.name) == ["Old"])

    let compiled = directory.file("Shop.momd").path
    try manager.createDirectory(atPath: compiled, withIntermediateDirectories: true)
    try Data(Self.archive).write(to: URL(fileURLWithPath: compiled + "/Shop.mom"))
    #expect(try ModelFile.model(at: compiled).entities.count == ShopStore.entities.count)
    #expect(throws: MagicError.self) { try ModelFile.model(at: directory.file("no.mom").path) }
  }

  @Test func aFileThatIsTooLargeIsNotRead() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Shop.mom").path
    try Data("bplist00".utf8).write(to: URL(fileURLWithPath: path))
    // The file is larger than the memory, and has no blocks on the disk.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    let error = #expect(throws: MagicError.self) { try ModelFile.model(at: path) }
    #expect(error?.code == .corrupt && error?.message.contains("64 MiB") == true)
    // The same for the list that names the current version.
    let folder = directory.file("Shop.momd").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: path, toPath: folder + "/VersionInfo.plist")
    try Data(Self.archive).write(to: URL(fileURLWithPath: folder + "/Shop.mom"))
    #expect(try ModelFile.model(at: folder).entities.count == ShopStore.entities.count)
  }

  @Test func aModelWithoutAStoreHasSwiftSource() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Shop.mom").path
    try Data(Self.archive).write(to: URL(fileURLWithPath: path))
    let types = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Support/ShopTypes.swift")
    #expect(
      try MagicData.swiftSource(ofCoreDataModel: path)
        == String(contentsOf: types, encoding: .utf8))
  }

  // MARK: Invalid models

  @Test func everyShorterArchiveIsRefused() {
    for count in stride(from: 0, to: Self.archive.count, by: 97) {
      #expect(throws: ModelFault.self) { try ModelArchive.model(Array(Self.archive[..<count])) }
    }
  }

  @Test func changedArchivesGiveAModelOrAFault() {
    for index in Self.archive.indices where index % 61 == 0 {
      var bytes = Self.archive
      bytes[index] ^= 0xFF
      do { _ = try ModelArchive.model(bytes) } catch { #expect(error is ModelFault) }
    }
  }

  @Test func changedDocumentsGiveAModelOrAFault() {
    let document = Array(DocumentWriter.document(ShopStore.entities).utf8)
    for index in document.indices where index % 31 == 0 {
      var bytes = document
      bytes[index] = UInt8(ascii: "<")
      for bytes in [bytes, Array(document[..<index])] {
        do { _ = try ModelDocument.model(bytes) } catch { #expect(error is ModelFault) }
      }
    }
  }

  @Test func entitiesInACycleAreRefused() {
    var (first, second) = (CoreDataModel.Entity(name: "A"), CoreDataModel.Entity(name: "B"))
    (first.parent, second.parent) = ("B", "A")
    #expect(throws: ModelFault.self) { try CoreDataModel([first, second]) }
    // The archive's properties of such entities are not followed.
    let document = DocumentWriter.document([first, second])
    #expect(throws: ModelFault.self) { try ModelDocument.model(Array(document.utf8)) }
  }

  @Test func anEntityHasAtMostAHundredAncestors() throws {
    func chain(_ count: Int) -> [CoreDataModel.Entity] {
      (0..<count).map { index in
        var entity = CoreDataModel.Entity(name: "E\(index)")
        if index > 0 { entity.parent = "E\(index - 1)" }
        return entity
      }
    }
    let model = try CoreDataModel(chain(101))
    let last = try #require(model.entity("E100"))
    #expect(model.lineage(last).map(\.name) == (0...100).map { "E\($0)" })
    for count in [102, 20_000] {
      #expect(throws: ModelFault.self) { try CoreDataModel(chain(count)) }
    }
  }

  @Test func aLargeModelIsRead() throws {
    // Each of twenty entities lists a thousand properties that it inherits.
    var parent = CoreDataModel.Entity(name: "Parent")
    parent.attributes = (0..<1_000).map { .init(name: "attribute\($0)", kind: .string) }
    let children = (0..<20).map { index in
      var child = CoreDataModel.Entity(name: "Child\(index)")
      child.parent = "Parent"
      return child
    }
    let model = try ModelArchive.model(ModelWriter([parent] + children).archive())
    #expect(model.entities.count == 21)
    for child in children { #expect(model.attributes(child).count == 1_000) }
  }

  @Test func namesThatClashAreRefused() {
    let names = [["Item", "ITEM"], ["Item", "Item"]]
    for names in names {
      #expect(throws: ModelFault.self) { try CoreDataModel(names.map(CoreDataModel.Entity.init)) }
    }
    var entity = CoreDataModel.Entity(name: "Item")
    entity.attributes = ["a", "A"].map { CoreDataModel.Attribute(name: $0, kind: .string) }
    #expect(throws: ModelFault.self) { try CoreDataModel([entity]) }
  }

  @Test func relationshipsToNoEntityAreRefused() {
    var entity = CoreDataModel.Entity(name: "Item")
    entity.relationships = [CoreDataModel.Relationship(name: "owner", destination: "Person")]
    #expect(throws: ModelFault.self) { try CoreDataModel([entity]) }
  }

  @Test func aDocumentTypeIsRefused() {
    let text = "<!DOCTYPE m [<!ENTITY a \"b\">]><model><entity name=\"&a;\"/></model>"
    #expect(throws: ModelFault.self) { try ModelDocument.model(Array(text.utf8)) }
    let deep = String(repeating: "<model>", count: 200_000)
    #expect(throws: ModelFault.self) { try ModelDocument.model(Array(deep.utf8)) }
  }
}
