import CopySupport
import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// A server whose disk is full. The disk is a small file system in memory, which only root can mount.
@Suite(.requiresPostgreSQL) struct FullDiskTests {
  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static let canMount: Bool = {
    let directory = FileManager.default.temporaryDirectory.path + "/mount-\(UUID().uuidString)"
    guard
      (try? FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)) != nil
    else { return false }
    defer { try? FileManager.default.removeItem(atPath: directory) }
    guard run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", directory]) else { return false }
    return run("umount", [directory])
  }()

  @Test(.enabled(if: canMount, "Only root can mount a small file system."))
  func aSaveOnAFullDiskIsRefusedAndLaterSavesAreStored() async throws {
    let server = try PostgreSQLServer()
    let disk = server.directory + "-disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    #expect(Self.run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]))
    defer {
      _ = Self.run("umount", ["-l", disk])
      try? FileManager.default.removeItem(atPath: disk)
    }
    #expect(Self.run("chown", ["--reference=\(server.directory)/data", disk]))
    #expect(Self.run("chmod", ["700", disk]))
    try server.connect().execute("CREATE TABLESPACE small LOCATION '\(disk)'")
    // The library's own tables are on the other disk.
    await (try await MagicData(postgres: server.information)).close()
    let magic = try await MagicData(
      postgres: server.information + " options='-c default_tablespace=small'")
    try await magic.update(Sample())
    var stored = 1
    // Random bytes, which the server cannot compress.
    let data = Data((0..<100_000).map { _ in UInt8.random(in: .min ... .max) })
    var failure: MagicError?
    while failure == nil, stored < 1_000 {
      let sample = Sample()
      sample.data = data
      do {
        try await magic.update(sample)
        stored += 1
      } catch let error as MagicError {
        failure = error
        #expect(sample.zIndex == nil)
      }
    }
    #expect(failure?.code == .diskFull)
    #expect(try await magic.object(of: Sample.self).count == stored)
    // The administrator makes the disk larger.
    #expect(Self.run("mount", ["-o", "remount,size=64m", disk]))
    try await magic.update(Sample())
    #expect(try await magic.object(of: Sample.self).count == stored + 1)
    await magic.close()
    try server.shutDown()
    server.stop()
  }
}
