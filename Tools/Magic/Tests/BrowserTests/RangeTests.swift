import Foundation
import MagicData
import Testing
import ToolTestSupport

/// A player asks for parts of a sound when a user seeks.
@Suite struct RangeTests {
  private static let sound = Data("ID3".utf8) + Data((0..<1_000).map { UInt8($0 % 251) })

  /// Calls the body with the address of an asset, and that of a text in a row.
  private func values(_ body: (Served, [String]) async throws -> Void) async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("sounds.sqlite3").path
      let magic = try await MagicData(path: path)
      let person = Town.Person("Ada")
      person.picture = MagicAsset(value: Self.sound, pathExtension: "mp3")
      person.note = "0123456789"
      let row = try await magic.update(person).rawValue
      await magic.close()
      try await serving(path) { served async throws in
        try await body(served, ["/value/Person/\(row)/picture", "/value/Person/\(row)/note"])
      }
    }
  }

  @Test func rangesArePartsOfTheValue() async throws {
    try await values { served, paths async throws in
      for path in paths {
        let whole = try await served.get(path)
        #expect(whole.status == 200)
        #expect(whole["Accept-Ranges"] == "bytes")
        let count = whole.body.count
        for (header, range) in [
          ("bytes=0-0", 0..<1), ("bytes=2-5", 2..<6), ("bytes=4-", 4..<count),
          ("bytes=-3", (count - 3)..<count), ("bytes=3-999999999999999999999", 3..<count),
          ("bytes=-999999", 0..<count),
        ] {
          let part = try await served.get(path, ["Range": header])
          #expect(part.status == 206, "\(header)")
          #expect(part.body == whole.body[range], "\(header)")
          #expect(
            part["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
          #expect(part["Content-Length"] == String(range.count))
          #expect(part["Content-Type"] == whole["Content-Type"])
        }
      }
    }
  }

  @Test func rangesBehindTheEndAreNotSatisfiable() async throws {
    try await values { served, paths async throws in
      for path in paths {
        let count = try await served.get(path).body.count
        for header in ["bytes=\(count)-", "bytes=999999-9999999", "bytes=-0"] {
          let part = try await served.get(path, ["Range": header])
          #expect(part.status == 416, "\(header)")
          #expect(part["Content-Range"] == "bytes */\(count)")
          #expect(part.body.isEmpty)
        }
      }
    }
  }

  @Test func otherRangesAreIgnored() async throws {
    try await values { served, paths async throws in
      let whole = try await served.get(paths[0]).body
      for header in [
        "bytes=0-1,3-4", "bytes=5-2", "bytes=-", "bytes=a-b", "lines=0-1", "bytes=1--2", "bytes",
      ] {
        let page = try await served.get(paths[0], ["Range": header])
        #expect(page.status == 200, "\(header)")
        #expect(page.body == whole, "\(header)")
      }
      // A range with a condition, whose version no value has.
      let page = try await served.get(paths[0], ["Range": "bytes=0-1", "If-Range": "\"1\""])
      #expect(page.status == 200)
      let head = try await served.send(
        "HEAD", paths[0], ["Cookie": served.cookie, "Range": "bytes=0-1"])
      #expect(head["Content-Length"] == String(whole.count))
      // Pages are no values.
      #expect(try await served.get("/types.csv", ["Range": "bytes=0-1"]).status == 200)
    }
  }
}
