import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The examples of the article about exports.
@Suite struct DocumentedExports {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String

    init() {}
    init(name: String) { self.name = name }
  }

  @Test func aDatabaseIsExportedAndImported() async throws {
    let directory = try TemporaryDirectory()
    let (path, folder) = (directory.file("a.sqlite3").path, directory.file("people").path)
    let otherPath = directory.file("b.sqlite3").path
    let magic = try await MagicData(path: path)
    try await magic.update(Person(name: "Ada"))
    await magic.close()

    let exported = try await MagicData.copy(from: .file(path), to: .folder(folder))
    print("\(exported.rows) rows, \(exported.assets) assets")
    try await MagicData.copy(from: .folder(folder), to: .file(otherPath))

    #expect(exported.rows == 1)
    let other = try await MagicData(path: otherPath)
    #expect(try await other.object(of: Person.self).map(\.name) == ["Ada"])
    await other.close()
    try await copyAll(otherPath, directory.file("second").path, directory.file("c.sqlite3").path)
  }

  /// The example of the call.
  private func copyAll(_ path: String, _ folder: String, _ otherPath: String) async throws {
    let exported = try await MagicData.copy(from: .file(path), to: .folder(folder))
    print(exported.rows, exported.assets)
    try await MagicData.copy(from: .folder(folder), to: .file(otherPath))
  }
}
