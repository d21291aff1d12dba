import Foundation
import Workloads

/// The growth of costs with the rows, as text and as JSON.
struct ScalingReport {
  let engines: [Report.EngineName]
  /// The results, from the fewest rows to the most.
  let results: [ScalingResult]
  let machine: Machine

  var text: String {
    let machine = machine.lines.map { "- \($0.name): \($0.value)" }.joined(separator: "\n")
    return [machine, table.markdown].joined(separator: "\n\n")
  }

  var table: Table {
    let times: [String] = engines.flatMap { ["\($0.name), ns", "growth"] }
    let ratios: [String] = engines.dropFirst().flatMap { ["\($0.name), ratio", "ratio's growth"] }
    let memory: [String] = engines.flatMap { ["\($0.name), MiB", "more MiB"] }
    var table = Table(
      textColumns: 1, header: ["nanoseconds a row", "rows"] + times + ratios + memory)
    for measure in ScalingMeasure.allCases {
      table.rows += results.map { row(measure, $0) }
    }
    return table
  }

  private func row(_ measure: ScalingMeasure, _ result: ScalingResult) -> [Table.Cell] {
    var cells: [Table.Cell] = ["\(measure.title)", "\(result.rows.grouped)"]
    for engine in engines.indices {
      cells.append(.init(result.nanoseconds(measure, engine).whole))
      cells.append(.init(growth(measure, result, engine).twoPlaces))
    }
    for engine in engines.indices.dropFirst() {
      let growth = ratioGrowth(measure, result, engine)
      cells.append(.strong(result.ratios(measure, engine).median.twoPlaces))
      cells.append(marked(growth.twoPlaces, isFlat: isFlat(ratioGrowth: growth)))
    }
    for engine in engines.indices {
      cells.append(.init(mebibytes(measure, result, engine)?.twoPlaces ?? "–"))
      cells.append(
        memoryGrowth(measure, result, engine).map {
          marked($0.twoPlaces, isFlat: isFlat(memoryOf: result, engine))
        } ?? "–")
    }
    return cells
  }

  private func marked(_ growth: String, isFlat: Bool) -> Table.Cell {
    isFlat ? .init(growth) : .strong("\(growth) not flat")
  }

  /// The cost of a row relative to its cost at the smallest size.
  func growth(_ measure: ScalingMeasure, _ result: ScalingResult, _ engine: Int) -> Double {
    guard let first = results.first else { return .nan }
    return result.nanoseconds(measure, engine) / first.nanoseconds(measure, engine)
  }

  func mebibytes(
    _ measure: ScalingMeasure, _ result: ScalingResult, _ engine: Int
  ) -> Double? {
    guard measure == .stream, engine < result.peaks.count else { return nil }
    return result.peaks[engine].map { Double($0) / Double(1 << 20) }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ScalingJSON(self))
  }
}
