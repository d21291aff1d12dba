import CSQLite
import Foundation

/// One workload's times on both sides, in seconds, in the order they were measured.
struct WorkloadResult: Codable, Sendable {
  let name: String
  let title: String
  let durability: Durability
  let operations: Int
  let magic: [Double]
  let twin: [Double]
  /// By how many bytes the process grew at most; nil where the system does not tell.
  let magicPeak: Int?
  let twinPeak: Int?

  /// The library's time in the C twin's: the median of the ratios of neighbouring runs.
  var ratio: Double { zip(magic, twin).map { $0 / $1 }.median }

  /// The library's, in MiB.
  var peak: Double? { magicPeak.map { Double($0) / Double(1 << 20) } }
}

/// What a run of the benchmark found, for people and for programs.
struct Report: Codable {
  let results: [Summary]
  let count: Int
  let runs: Int
  let machine: Machine

  struct Summary: Codable {
    let name: String
    let title: String
    let durability: Durability
    let operations: Int
    let ratio: Double
    let lowestRatio: Double
    let highestRatio: Double
    let magicNanosecondsPerOperation: Double
    let twinNanosecondsPerOperation: Double
    /// By how many MiB the process grew at most.
    let magicPeak: Double?
    let twinPeak: Double?
  }

  struct Machine: Codable {
    let system: String
    let cores: Int
    let sqlite: String
    let swift: String
  }

  init(results: [WorkloadResult], count: Int, runs: Int) {
    self.count = count
    self.runs = runs
    self.results = results.map { result in
      let ratios = zip(result.magic, result.twin).map { $0 / $1 }
      let perOperation = 1e9 / Double(result.operations)
      return Summary(
        name: result.name, title: result.title, durability: result.durability,
        operations: result.operations, ratio: result.ratio, lowestRatio: ratios.min() ?? 0,
        highestRatio: ratios.max() ?? 0,
        magicNanosecondsPerOperation: result.magic.median * perOperation,
        twinNanosecondsPerOperation: result.twin.median * perOperation, magicPeak: result.peak,
        twinPeak: result.twinPeak.map { Double($0) / Double(1 << 20) })
    }
    machine = Machine(
      system: ProcessInfo.processInfo.operatingSystemVersionString,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      sqlite: String(cString: sqlite3_libversion()), swift: Self.swiftVersion)
  }

  private static var swiftVersion: String {
    #if compiler(>=6.3)
      "6.3 or later"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }

  func table() -> String {
    var lines = [
      "\(count) people, \(runs) runs after a warm-up, SQLite \(machine.sqlite), "
        + "Swift \(machine.swift), \(machine.system), \(machine.cores) cores",
      "",
      "| workload | commits | operations | C, ns each | MagicData, ns each | ratio | lowest–highest "
        + "| C, MiB | MagicData, MiB |",
      "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in results {
      lines.append(
        "| \(row.name) \(row.title) | \(row.durability.rawValue) | \(row.operations) "
          + "| \(rounded(row.twinNanosecondsPerOperation)) "
          + "| \(rounded(row.magicNanosecondsPerOperation)) "
          + "| **\(twoPlaces(row.ratio))** "
          + "| \(twoPlaces(row.lowestRatio))–\(twoPlaces(row.highestRatio)) "
          + "| \(row.twinPeak.map(rounded) ?? "–") | \(row.magicPeak.map(rounded) ?? "–") |")
    }
    return lines.joined(separator: "\n")
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }

  private func rounded(_ value: Double) -> String { String(Int(value.rounded())) }

  private func twoPlaces(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

extension [Double] {
  /// The middle value; the mean of the two middle ones where there are two.
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
