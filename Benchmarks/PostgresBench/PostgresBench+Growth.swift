import CPostgresTwin
import Foundation
import MagicData

/// The costs of a row in tables of growing size.
extension PostgresBench {
  func measureGrowth() async throws {
    print("| rows | inserted | streamed | awaited lookup |\n|---:|---:|---:|---:|")
    for count in [10_000, 100_000, 1_000_000, 10_000_000] {
      try empty()
      let twinInsert = twin_insert(connection, Int32(count))
      let insert = try await seconds {
        for first in stride(from: 0, to: count, by: 100_000) {
          let people = (first..<min(first + 100_000, count)).map { Person($0) }
          try await magic.update(contentsOf: people)
        }
      }
      try sql("VACUUM ANALYZE")
      var checksum = 0.0
      let twinFetch = twin_fetch(connection, &checksum)
      let stream = try await seconds {
        var sum = 0.0
        for try await person in magic.query(Person.self).stream() { sum += person.sum }
        try check(checksum / 1e6, sum / 1e6)
      }
      let lookups = 5_000
      let twinLookUp = twin_look_up(connection, Int32(lookups), Int32(count), 1, &checksum)
      let lookUpTime = try await seconds {
        let sum = try await lookUp(lookups, among: count, 1)
        try check(checksum, sum)
      }
      guard twinInsert >= 0, twinFetch >= 0, twinLookUp >= 0 else {
        throw BenchError("The twin has failed.")
      }
      func cell(_ own: Double, _ twin: Double, _ operations: Int) -> String {
        String(
          format: "%.2f / %.2f, %.2f", twin / Double(operations) * 1e6,
          own / Double(operations) * 1e6, own / twin)
      }
      print(
        "| \(count) | \(cell(insert, twinInsert, count)) | \(cell(stream, twinFetch, count)) "
          + "| \(cell(lookUpTime, twinLookUp, lookups)) |")
    }
  }
}
