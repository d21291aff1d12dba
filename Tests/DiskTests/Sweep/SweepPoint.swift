import DiskSimulation
import Foundation
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport

/// One run of the scenario on a disk that fails at one step.
struct SweepPoint {
  let fault: Fault
  let position: Int
  let reference: SweepReference
  /// Whether the scenario reached that step of the disk.
  private(set) var wasReached = false
  /// The step of the scenario that threw an error, or nil if none did.
  private(set) var failedStep: String?
  private(set) var code: MagicError.Code?
  /// The violations that were found.
  private(set) var findings: [String] = []
  /// The number of objects that were compared.
  private(set) var objects = 0

  init(_ fault: Fault, at position: Int, _ reference: SweepReference) {
    self.fault = fault
    self.position = position
    self.reference = reference
  }

  /// - Parameter flaw: A deliberate flaw of the program.
  mutating func run(flaw: Scenario.Flaw? = nil) async throws {
    let steps = flaw == .splitGraph ? Scenario.splitSteps : Scenario.steps
    let directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.copyItem(at: reference.template, to: folder)
    let disk = try SimulatedDisk(at: folder)
    defer { disk.end() }
    let world = World(on: disk)
    fault.arm(disk, at: position)
    for (index, step) in steps.enumerated() {
      do {
        try step.prepare(world)
      } catch {
        guard disk.calls.failureCount > 0 else { throw error }
        // The disk has failed for another program, which tries again.
        disk.heal()
        try step.prepare(world)
      }
      do {
        try await step.act(world)
      } catch {
        if flaw == .ignoredErrors {
          disk.heal()
          continue
        }
        failedStep = step.name
        note(error, disk)
        await recover(index, step, world, disk)
        guard findings.isEmpty else { break }
      }
    }
    wasReached = disk.calls.failureCount + disk.files.failureCount > 0
    disk.heal()
    disk.onStep = nil
    await world.close()
    if findings.isEmpty { await checkResult(world) }
  }

  private mutating func note(_ error: any Error, _ disk: SimulatedDisk) {
    code = (error as? MagicError)?.code
    if disk.calls.failureCount + disk.files.failureCount == 0 {
      findings.append("a call failed although the disk did not: \(error)")
    } else if let report = (error as? UnsoundReport)?.report {
      // A failing read of the disk is not a fault of the database.
      findings += report.findings.filter {
        $0.kind != .unreadableFile && !($0.kind == .damage && fault.isReadFault)
      }.map { "\($0)" }
    } else if code.map(Self.expected.contains) != true {
      findings.append("a call failed with an unexpected error: \(error)")
    }
  }

  /// The error codes that a failing disk can cause.
  private static let expected: Set<MagicError.Code> = [
    .inputOutput, .diskFull, .cannotOpen, .readOnly, .assetMissing,
  ]

  /// Expects that the failed step has stored nothing, that its objects are not marked as saved, and
  /// that the step succeeds now.
  private mutating func recover(
    _ index: Int, _ step: Scenario.Step, _ world: World, _ disk: SimulatedDisk
  ) async {
    disk.onStep = nil
    disk.heal()
    do {
      if step.new(world).contains(where: { $0 != nil }) {
        findings.append("an unsaved object has a row ID")
      }
      if (try? world.magic) != nil, let before = reference.contents[index] {
        let expected = step.afterFailure(world, before)
        compare(try await world.contents(), expected, "after the failure")
        findings += try damage(at: world.path)
      }
      try await step.act(world)
      if let after = reference.contents[index + 1] {
        compare(try await world.contents(), after, "after the second attempt")
      }
    } catch {
      findings.append("after the disk works again: \(error)")
    }
  }

  private mutating func checkResult(_ world: World) async {
    do {
      // Opening removes files whose removal was postponed.
      try world.open()
      if let last = reference.contents.compactMap({ $0 }).last {
        compare(try await world.contents(), last, "at the end")
      }
      let report = try await world.magic.verify()
      if !report.isSound { findings.append("`verify` reports: \(report)") }
      // The rows were observed before the database was prepared for sharing.
      let rows = try await world.magic.object(of: Models.Book.self).compactMap(\.zIndex)
        .map { ZIndex(rawValue: $0.rawValue & 0xFFFF_FFFF) }
      await world.close()
      let observed = await world.observedBooks()
      if observed != Set(rows).subtracting(reference.firstBooks) {
        findings.append("observed rows: \(observed), stored rows: \(rows)")
      }
      let dump = try DatabaseDump(of: world.path)
      findings += dump.faults + dump.leftovers
    } catch {
      findings.append("at the end: \(error)")
    }
  }

  private mutating func compare(_ contents: Contents, _ expected: Contents, _ moment: String) {
    objects += contents.count
    if contents != expected {
      findings.append("\(moment): \(contents.differences(from: expected))")
    }
  }

  private func damage(at path: String) throws -> [String] {
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    return try connection.damage()
  }
}
