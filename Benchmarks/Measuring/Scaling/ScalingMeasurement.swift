import Foundation
import Workloads

/// Measures one size after the other.
struct ScalingMeasurement {
  let engines: [any Engine.Type]
  let sizes: [RowCount]
  /// The number of runs; nil if it depends on the size.
  let runs: Int?

  func results() async throws -> [ScalingResult] {
    var bar = ProgressBar(total: sizes.map { steps($0.rows) }.reduce(0, +))
    var results: [ScalingResult] = []
    for size in sizes {
      bar.begin("\(size)", "rows")
      results.append(try await result(size.rows) { bar.run($0) })
    }
    bar.end()
    return results
  }

  private func result(
    _ rows: Int, progress: (String) -> Void
  ) async throws -> ScalingResult {
    let runs = runs(rows)
    var result = ScalingResult(rows: rows)
    for number in (Self.warmsUp(rows) ? -1 : 0)..<runs {
      let run = try await run(rows, number: number) { measure in
        let state = number < 0 ? "warming up" : "run \(number + 1) of \(runs)"
        progress("\(state): \(measure.title)")
      }
      if number >= 0 { result.add(run) }
    }
    return result
  }

  private func run(
    _ rows: Int, number: Int, progress: (ScalingMeasure) -> Void
  ) async throws -> ScalingRun {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var opened: [any Engine] = []
    for (index, engine) in engines.enumerated() {
      let own = scratch.path + "/\(index)"
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      opened.append(try await engine.open(directory: own, durability: .normal))
    }
    var run = ScalingRun(ScalingSize(rows: rows), opened, number: number + 1)
    try await run.run(measuresMemory: number == 0, progress: progress)
    for engine in opened { await engine.close() }
    return run
  }

  func runs(_ rows: Int) -> Int { runs ?? (rows <= 1_000_000 ? 3 : 1) }

  /// Whether a size has a run to warm up; large sizes warm up during the run.
  private static func warmsUp(_ rows: Int) -> Bool { rows <= 100_000 }

  private func steps(_ rows: Int) -> Int {
    (runs(rows) + (Self.warmsUp(rows) ? 1 : 0)) * ScalingMeasure.allCases.count
  }
}
