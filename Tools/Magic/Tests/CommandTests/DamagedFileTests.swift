import Foundation
import MagicCommand
import Testing
import ToolTestSupport

/// Files with random faults. No command crashes, hangs, or ends with another number.
@Suite struct DamagedFileTests {
  @Test(arguments: 0..<8) func damagedBytesAreErrorsOrFindings(_ seed: Int) async throws {
    try await withDirectory { directory in
      let original = try Fixture.columns.copy(to: directory)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: original))
      var random = Numbers(state: UInt64(seed) + 1)
      for round in 0..<6 {
        var damaged = bytes
        for _ in 0...round * 40 {
          // Half of the faults are in the first pages, which contain the schema.
          let range = Bool.random(using: &random) ? 16..<12_288 : 16..<bytes.count
          damaged[Int.random(in: range, using: &random)] = UInt8.random(
            in: .min ... .max, using: &random)
        }
        let path = directory.appendingPathComponent("\(round).sqlite3").path
        try damaged.write(to: URL(fileURLWithPath: path))
        await run(path)
      }
    }
  }

  @Test(arguments: [1, 100, 4_096, 5_000, 100_000]) func truncatedFilesAreErrorsOrFindings(
    _ size: Int
  ) async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      try Data(contentsOf: URL(fileURLWithPath: path)).prefix(size)
        .write(to: URL(fileURLWithPath: path))
      await run(path)
    }
  }

  private func run(_ path: String) async {
    for arguments in [
      ["inspect", path], ["inspect", path, "Home", "--json"], ["schema", path, "--swift"],
      ["schema", path, "--svg"], ["show", path, "Home", "#3", "--depth", "3"],
      ["query", path, "SELECT * FROM Person", "--json"], ["verify", path], ["doctor", path],
    ] {
      let status = await magic(arguments).status
      #expect((0...7).contains(status) || status == 64, "\(arguments) \(status)")
    }
  }

  /// A sequence that is the same in each run: splitmix64.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var number = state
      number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
      return number ^ (number >> 31)
    }
  }
}
