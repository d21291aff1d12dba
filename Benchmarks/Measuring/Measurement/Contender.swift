import Foundation
import Workloads

/// One engine in one workload.
struct Contender {
  let engine: any Engine.Type
  private let workload: Workload
  private let steps: Workload.Steps
  private let durability: Durability
  private let directory: String
  private var shared: (any Engine)?
  private var job: Job?

  /// - Returns: Nil if the engine does not support the workload.
  init?(
    _ engine: any Engine.Type, _ workload: Workload, _ steps: Workload.Steps,
    durability: Durability, directory: String
  ) async throws {
    self.engine = engine
    self.workload = workload
    self.steps = steps
    self.durability = durability
    self.directory = directory
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    guard workload.start == .shared || workload.start == .sharedWithNewObjects else { return }
    let opened = try await open(directory)
    shared = opened
    guard try await fill(opened) else { return nil }
    if workload.start == .shared {
      job = try await opened.job(for: steps.measured)
      if job == nil { return nil }
    }
  }

  /// Performs the measured work once.
  ///
  /// - Parameter isFirst: Whether to measure the memory, which empties the allocator, and to read
  ///   the written values. Other runs start with the usual state of the allocator.
  /// - Returns: Nil if the engine does not support the workload.
  func run(_ run: Run, isFirst: Bool) async throws -> Cost? {
    if let shared {
      let own = job == nil ? try await shared.job(for: steps.measured) : nil
      guard let job = job ?? own else { return nil }
      return try await measured(job, run, shared, isFirst: isFirst)
    }
    let own = directory + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: own) }
    guard let engine = try await prepared(own) else { return nil }
    guard let job = try await engine.job(for: steps.measured) else {
      await engine.close()
      return nil
    }
    let cost = try await measured(job, run, engine, isFirst: isFirst)
    await engine.close()
    return cost
  }

  func close() async { await shared?.close() }

  private func measured(
    _ job: @escaping Job, _ run: Run, _ engine: any Engine, isFirst: Bool
  ) async throws -> Cost {
    var cost = try await Cost.measured(job, run, measuresMemory: isFirst)
    if isFirst, let check = steps.check, let job = try await engine.job(for: check) {
      cost.written = try await job(Run())
    }
    return cost
  }

  /// A new database, or nil if the engine does not support the workload.
  private func prepared(_ directory: String) async throws -> (any Engine)? {
    let first = try await open(directory)
    guard try await fill(first) else {
      await first.close()
      return nil
    }
    guard workload.start == .reopened else { return first }
    await first.close()
    return try await open(directory)
  }

  private func open(_ directory: String) async throws -> any Engine {
    try await engine.open(directory: directory, durability: durability)
  }

  private func fill(_ engine: any Engine) async throws -> Bool {
    for work in steps.before {
      guard let job = try await engine.job(for: work) else { return false }
      _ = try await job(Run())
    }
    return true
  }
}
