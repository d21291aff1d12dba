import Foundation
import MagicData
import MagicDataTesting
import MagicTestSupport
import Testing

/// Exports of files that earlier versions wrote.
@Suite struct ExportTests {
  @Test(arguments: Fixture.allCases)
  func anImportOfAnExportHasTheSameExport(_ fixture: Fixture) async throws {
    let directory = try TemporaryDirectory()
    let source = try fixture.copy()
    let (first, second) = (directory.file("first"), directory.file("second"))
    let back = directory.file("back.sqlite3").path
    let exported = try await MagicData.copy(
      from: .file(source.file.path), to: .folder(first.path))
    let imported = try await MagicData.copy(from: .folder(first.path), to: .file(back))
    #expect(imported.tables == exported.tables && imported.rows > 0)
    #expect(imported.members == exported.members && imported.assets == exported.assets)
    try await MagicData.copy(from: .file(back), to: .folder(second.path))
    let names = try FileManager.default.subpathsOfDirectory(atPath: first.path).sorted()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: second.path).sorted() == names)
    for name in names where name.contains(".") {
      // The description of a file of an earlier format is completed.
      if name == "database.json" { continue }
      let (left, right) = (first.appendingPathComponent(name), second.appendingPathComponent(name))
      #expect(try Data(contentsOf: left) == Data(contentsOf: right), "\(name)")
    }
  }
}
