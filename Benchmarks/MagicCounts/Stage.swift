import CAllocations
import Counting
import Foundation
import MagicData
import MagicDataEngine
import Workloads

/// Runs a work several times on an engine, and counts.
struct Stage {
  let engine: any Engine.Type
  let start: Workload.Start
  let steps: Workload.Steps

  /// The counts, and the checksum of the fetched values; nil if the engine does not support the
  /// work.
  ///
  /// The first run warms up and is not counted. On a shared database it is repeated, because the second
  /// read of a connection begins to hold a snapshot.
  func part(runs: Int, isWeighed: Bool) async throws -> (Trial.Part, Checksum)? {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var part = Trial.Part(operations: steps.operations)
    var checksum = Checksum()
    var database = try await filled(folder)
    var job = try await database.job(for: steps.measured)
    for run in 0...runs {
      if run > 0, start != .shared {
        job = nil
        if start != .sharedWithNewObjects {
          await database.close()
          database = try await filled(folder)
        }
        job = try await database.job(for: steps.measured)
      }
      guard let job else { break }
      if run == 0 {
        if start == .shared { for _ in 0..<2 { _ = try await job(Run()) } }
        checksum = try await job(Run())
      } else {
        part.readings.append(try await Self.reading { _ = try await job(Run()) })
      }
    }
    if isWeighed, let job { part.held = try await Self.weight { _ = try await job($0) } }
    await database.close()
    return job == nil ? nil : (part, checksum)
  }

  /// The increase of the counters while the body runs.
  static func reading(_ body: () async throws -> Void) async rethrows -> Reading {
    magic_counts_lap()
    let start = Reading.now
    try await body()
    let end = Reading.now
    magic_counts_lap()
    return end - start
  }

  /// The bytes of the objects that the body keeps.
  private static func weight(_ body: (Run) async throws -> Void) async rethrows -> Int {
    let run = Run(keepsObjects: true)
    let start = Reading.now
    try await body(run)
    let end = Reading.now
    return withExtendedLifetime(run) { (end - start).live }
  }

  /// A new database with the required contents.
  private func filled(_ folder: TemporaryFolder) async throws -> any Engine {
    let directory = try folder.makeFolder()
    let database = try await open(directory)
    for work in steps.before {
      if let job = try await database.job(for: work) { _ = try await job(Run()) }
    }
    guard start == .reopened else { return database }
    await database.close()
    return try await open(directory)
  }

  private func open(_ directory: String) async throws -> any Engine {
    guard engine == MagicDataEngine.self else {
      return try await engine.open(directory: directory, durability: .normal)
    }
    // How long snapshots are held depends on time, so the counts would differ from run to run.
    return try await MagicDataEngine.open(
      directory: directory, durability: .normal, options: MagicOptions(heldSnapshotTime: 3_600))
  }
}
