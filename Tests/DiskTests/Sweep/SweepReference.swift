import DiskSimulation
import Foundation
import MagicData
import MagicTestSupport

/// The contents after each step of the scenario on a disk that does not fail.
final class SweepReference {
  let directory: TemporaryDirectory
  /// A folder with the database at the start of the scenario.
  let template: URL
  /// The contents before the first step and after each step; nil while the database is not open.
  private(set) var contents: [Contents?] = []
  /// The books that exist before the observation begins.
  private(set) var firstBooks: Set<ZIndex> = []

  init() async throws {
    directory = try TemporaryDirectory()
    template = directory.url.appendingPathComponent("template")
    try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
    try await World.prepare(at: template.appendingPathComponent("test.sqlite3").path)

    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.copyItem(at: template, to: folder)
    let disk = try SimulatedDisk(at: folder)
    defer { disk.end() }
    let world = World(on: disk)
    contents.append(nil)
    for step in Scenario.steps {
      try step.prepare(world)
      try await step.act(world)
      guard let magic = try? world.magic else {
        contents.append(nil)
        continue
      }
      contents.append(try await world.contents())
      if step.name == "opening" {
        firstBooks = Set(try await magic.object(of: Models.Book.self).compactMap(\.zIndex))
      }
    }
  }
}
