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
  /// Whether the disk came to that step.
  private(set) var wasReached = false
  /// The step of the scenario that threw, and what; nil where none did.
  private(set) var failedStep: String?
  private(set) var code: MagicError.Code?
  /// What should not be.
  private(set) var findings: [String] = []
  /// Objects that were compared with what they should be.
  private(set) var objects = 0

  init(_ fault: Fault, at position: Int, _ reference: SweepReference) {
    self.fault = fault
    self.position = position
    self.reference = reference
  }

  /// - Parameter flaw: what a program that keeps no promise does.
  mutating func run(flaw: Scenario.Flaw? = nil) async throws {
    let steps = flaw == .halves ? Scenario.tornSteps : Scenario.steps
    let directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.copyItem(at: reference.template, to: folder)
    let disk = try SimulatedDisk(at: folder)
    defer { disk.end() }
    let world = World(on: disk)
    fault.arm(disk, at: position)
    for (index, step) in steps.enumerated() {
      try step.prepare(world)
      do {
        try await step.act(world)
      } catch {
        if flaw == .deafness {
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
    if findings.isEmpty { await checkWhatIsLeft(world) }
  }

  private mutating func note(_ error: any Error, _ disk: SimulatedDisk) {
    code = (error as? MagicError)?.code
    if disk.calls.failureCount + disk.files.failureCount == 0 {
      findings.append("it failed though the disk did not: \(error)")
    } else if let report = (error as? Unsound)?.report {
      // A disk that cannot be read is no fault of the database.
      findings += report.findings.filter {
        $0.kind != .unreadableFile && !($0.kind == .damage && fault.isOfReading)
      }.map { "\($0)" }
    } else if code.map(Self.expected.contains) != true {
      findings.append("it failed with \(error)")
    }
  }

  /// What an error of a disk may be called.
  private static let expected: Set<MagicError.Code> = [
    .inputOutput, .diskFull, .cannotOpen, .readOnly, .assetMissing,
  ]

  /// Nothing of the step is there, the objects know that, and it can be done now.
  private mutating func recover(
    _ index: Int, _ step: Scenario.Step, _ world: World, _ disk: SimulatedDisk
  ) async {
    disk.onStep = nil
    disk.heal()
    do {
      if step.new(world).contains(where: { $0 != nil }) {
        findings.append("an object that was not saved says that it was")
      }
      if (try? world.magic) != nil, let before = reference.contents[index] {
        let expected = step.afterFailure(world, before)
        compare(try await world.contents(), expected, "after the failure")
        findings += try damage(at: world.path)
      }
      try await step.act(world)
      if let after = reference.contents[index + 1] {
        compare(try await world.contents(), after, "when it was tried again")
      }
    } catch {
      findings.append("once the disk is well: \(error)")
    }
  }

  private mutating func checkWhatIsLeft(_ world: World) async {
    do {
      // Opening removes what was left for later.
      try world.open()
      if let last = reference.contents.compactMap({ $0 }).last {
        compare(try await world.contents(), last, "at the end")
      }
      let report = try await world.magic.verify()
      if !report.isSound { findings.append("the check says: \(report)") }
      let rows = try await world.magic.object(of: Models.Book.self).compactMap(\.zIndex)
      await world.close()
      let observed = await world.observedBooks()
      if observed != Set(rows).subtracting(reference.firstBooks) {
        findings.append("observed were \(observed), there are \(rows)")
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
