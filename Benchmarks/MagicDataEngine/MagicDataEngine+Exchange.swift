import Foundation
import MagicData
import Workloads

extension MagicDataEngine {
  private var source: MagicDatabaseLocation { .file(Self.databasePath(directory)) }
  private var exportPath: String { directory + "/people" }
  private var linesPath: String { directory + "/people.jsonl" }
  private var importedDirectory: String { directory + "/imported" }

  func export(_ people: [PlainPerson]) async throws -> Job {
    _ = try await insert(people)(Run())
    return { [source, exportPath] _ in
      try await MagicData.copy(from: source, to: .folder(exportPath))
      return Checksum()
    }
  }

  func sumUpExport() -> Job {
    { [exportPath] _ in
      var checksum = Checksum()
      checksum.add(try PlainPerson.readLines(from: exportPath + "/Person.jsonl"))
      return checksum
    }
  }

  func importLines(of people: [PlainPerson]) throws -> Job {
    try PlainPerson.writeLines(people, to: linesPath)
    let file = MagicImport(Person.self, from: linesPath)
    return { _ in
      try await magic.importObjects(file)
      return Checksum()
    }
  }

  func importFolder(with people: [PlainPerson]) async throws -> Job {
    _ = try await export(people)(Run())
    try FileManager.default.createDirectory(
      atPath: importedDirectory, withIntermediateDirectories: true)
    return { [exportPath, importedDirectory] _ in
      try await MagicData.copy(
        from: .folder(exportPath), to: .file(Self.databasePath(importedDirectory)))
      return Checksum()
    }
  }

  func sumUpImportedFolder() -> Job {
    { [importedDirectory] run in
      let imported = try await Self.open(directory: importedDirectory, durability: .normal)
      let checksum = try await imported.fetchAll(readingValues: true)(run)
      await imported.close()
      return checksum
    }
  }
}
