import Foundation
import MagicData
import MagicDataPostgres
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Copies between the engines whose program is killed.
@Suite(.requiresPostgreSQL) struct KilledCopyTests {
  private let directory: TemporaryDirectory
  private let file: String
  private static let count = 10_000

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("source.sqlite3").path
  }

  /// The place of a schema for the program that copies.
  private func place(_ schema: TestSchema) -> String {
    "\(schema.server.information)\n\(schema.name)"
  }

  private func makeSource() async throws {
    let magic = try await MagicData(path: file)
    try await magic.update(
      contentsOf: (0..<Self.count).map { City("City \($0)", population: $0) })
    await magic.close()
  }

  /// Copies until the program has reported a number of parts, and kills it.
  ///
  /// - Returns: whether it was killed before the end.
  private func kill(afterParts parts: Int, from: String, to: String) throws -> Bool {
    let child = try StartedChild("CopyProgram", [from, to])
    child.read(lines: parts)
    child.kill()
    let (output, status) = child.end()
    let text = String(decoding: output, as: UTF8.self)
    #expect(status == nil || text.contains("copied \(Self.count)"), "\(text)")
    return status == nil
  }

  @Test(arguments: [1, 9, 12, 20]) func aServerHasAllOrNothing(_ parts: Int) async throws {
    try await makeSource()
    let schema = try TestSchema()
    let isKilled = try kill(afterParts: parts, from: file, to: place(schema))
    // The commit follows the last part.
    #expect(isKilled || parts == 20)
    // The copy waits for the lock of the transaction that the server has not rolled back yet.
    do {
      try await MagicData.copy(
        from: .file(file), to: .postgres(schema.server.information, schema: schema.name))
    } catch let error as MagicError {
      #expect(error.code == .tableConflict && parts == 20)
    }
    let magic = try await schema.openMagicData()
    #expect(try await magic.query(City.self).count() == Self.count)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test(arguments: [1, 9, 12, 20]) func aFileExistsWhenItIsComplete(_ parts: Int) async throws {
    let schema = try TestSchema()
    let source = try await schema.openMagicData()
    try await source.update(
      contentsOf: (0..<Self.count).map { City("City \($0)", population: $0) })
    await source.close()
    let isKilled = try kill(afterParts: parts, from: place(schema), to: file)
    // The commit follows the last part.
    #expect(isKilled || parts == 20)
    if FileManager.default.fileExists(atPath: file) {
      #expect(parts == 20)
    } else {
      try await MagicData.copy(
        from: .postgres(schema.server.information, schema: schema.name), to: .file(file))
    }
    let magic = try await MagicData(path: file)
    #expect(try await magic.query(City.self).count() == Self.count)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }
}
