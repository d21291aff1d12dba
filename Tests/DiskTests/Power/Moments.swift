import DiskSimulation
import Foundation
import MagicRuntime
import MagicTestSupport

/// The steps of a round at which the power fails, and what remains on the disk.
final class Moments: Locked, @unchecked Sendable {
  struct Moment {
    let step: Int
    let folder: URL
    let acknowledged: [Contents]
    let intended: [Contents]
  }

  private let disk: SimulatedDisk
  private let work: PowerWork
  private let directory: URL
  private var random: SeededRandom
  private var count = 0
  private var next = 0
  private var moments: [Moment] = []

  init(
    of disk: SimulatedDisk, _ work: PowerWork, _ directory: URL, _ random: inout SeededRandom
  ) {
    self.disk = disk
    self.work = work
    self.directory = directory
    self.random = SeededRandom(random.next())
    super.init()
    next = Int.random(in: 1...60, using: &self.random)
  }

  var all: [Moment] { withLock { moments } }

  /// Called before each step of the disk.
  func step() {
    let isDue = withLock {
      count += 1
      guard count == next else { return false }
      next = count + Int.random(in: 1...60, using: &random)
      return true
    }
    if isDue { cut() }
  }

  /// Cuts the power of a copy of the disk.
  func cut() {
    let (number, seed) = withLock { (count, random.next()) }
    // Calls that are acknowledged after this line are not required.
    let (acknowledged, intended) = work.history
    guard !acknowledged.isEmpty else { return }
    let folder = directory.appendingPathComponent("left-\(number)-\(seed)")
    guard (try? disk.cutPower(into: folder, seed: seed)) != nil else { return }
    withLock {
      moments.append(
        Moment(step: number, folder: folder, acknowledged: acknowledged, intended: intended))
    }
  }
}
