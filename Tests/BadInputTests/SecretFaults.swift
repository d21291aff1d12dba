import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport

extension SecrecyTests {
  static let values = [
    Fault("taken unique value", .notUnique) {
      let other = Secret(4)
      other.code = "\(marker) code 1"
      try await $0.magic.update(other)
    },
    Fault("missing primary", .notFound) {
      _ = try await $0.magic.object(of: Secret.self, primary: "\(marker) none")
    },
    Fault("primary of another type", .wrongType) {
      _ = try await $0.magic.object(of: Secret.self, primary: 5)
    },
    Fault("referenced object", .stillReferenced) { try await $0.magic.remove(try $0.secret) },
    Fault("unset property", .missingValue) { try await $0.magic.update(Unset()) },
    Fault("unsaved object", .notSaved) { try await $0.magic.remove(Secret(9)) },
    Fault("NaN as the value of a key", .cannotEncode) {
      let secret = try await $0.secret
      secret.shares = [marker: .nan]
      try await $0.magic.update(secret)
    },
    Fault("text in place of an integer", .cannotDecode) {
      try await $0.fetch("number", "'\(marker)'")
    },
    Fault("text that is not UTF-8", .cannotDecode) {
      try await $0.fetch("text", "CAST(CAST('\(marker)' AS BLOB) || X'FF' AS TEXT)")
    },
    Fault("truncated JSON", .cannotDecode) {
      try await $0.fetch("tags", "CAST('[\"\(marker)' AS BLOB)")
    },
    Fault("JSON of another type", .cannotDecode) {
      try await $0.fetch("counts", "CAST('{\"\(marker)\":\"\(marker)\"}' AS BLOB)")
    },
    Fault("raw value without a case", .cannotDecode) {
      try await $0.fetch("colour", "'\(marker)'")
    },
    Fault("text that is not a UUID", .cannotDecode) { try await $0.fetch("link", "'\(marker)'") },
    Fault("value of a query", .cannotDecode) {
      let raw = try $0.scratch.raw()
      try raw.execute("UPDATE Secret SET number = '\(marker)'")
      raw.close()
      _ = try await $0.magic.query(Secret.self).select(\.$number, \.$text).all()
    },
  ]

  static let statements = [
    Fault("no such column", .invalidQuery) {
      try await $0.magic.sql("UPDATE Secret SET nothing = \(marker)").run()
    },
    Fault("unique value by SQL", .notUnique) {
      try await $0.magic.sql("UPDATE Secret SET code = \(marker)").run()
    },
    Fault("NULL by SQL", .constraint) {
      try await $0.magic.sql("UPDATE Secret SET text = NULL WHERE text = \(marker)").run()
    },
    Fault("reference by SQL", .stillReferenced) {
      try await $0.magic.sql("UPDATE Holder SET secret = 99 WHERE name = \(marker)").run()
    },
    Fault("column of another type", .cannotDecode) {
      _ = try await $0.magic.sql("SELECT \(marker)").rows(Int.self)
    },
    Fault("invalid JSON path", .invalidQuery) {
      _ = try await $0.magic.sql("SELECT json_extract('{}', \(marker))").rows(String.self)
    },
    Fault("NaN as a parameter", .cannotEncode) {
      _ = try await $0.magic.sql("SELECT \(marker), \(Double.nan)").rows(String.self, Double.self)
    },
    Fault("pattern that is too long", .invalidQuery) {
      let pattern = String(repeating: marker, count: 10_000)
      _ = try await $0.magic.query(Secret.self).where { $0.$text.like(pattern) }.count()
    },
    Fault("lock of another connection", .busy) {
      let other = try $0.scratch.raw()
      try other.execute("BEGIN IMMEDIATE; UPDATE Secret SET number = 5")
      try await $0.magic.update(Secret(5))
    },
    Fault("closed", .closed) {
      await $0.magic.close()
      try await $0.magic.update(Secret(5))
    },
  ]

  static let files = [
    Fault("invalid path extension", .cannotEncode) {
      let secret = try await $0.secret
      secret.report = .init(value: [marker: 1], pathExtension: "\(marker)/..")
      try await $0.magic.update(secret)
    },
    Fault("deleted file", .assetMissing) {
      let secret = try await $0.secret
      if let path = secret.report.path { try FileManager.default.removeItem(at: path) }
      _ = try secret.report.load()
    },
    Fault("truncated file", .cannotDecode) {
      let secret = try await $0.secret
      if let path = secret.report.path { try Data(marker.utf8.prefix(3)).write(to: path) }
      _ = try secret.report.load()
    },
    Fault("file with another value", .cannotDecode) {
      let secret = try await $0.secret
      if let path = secret.report.path {
        let text = "[\"\(marker)\"]"
        let count = try Data(contentsOf: path).count
        try Data(text.utf8).appending(spaces: count - text.utf8.count).write(to: path)
      }
      _ = try secret.report.load()
    },
    Fault("backup to an existing file", .fileExists) {
      try await $0.magic.backup(to: $0.scratch.file())
    },
    Fault("backup with a missing asset", .assetMissing) {
      if let path = try await $0.secret.report.path {
        try FileManager.default.removeItem(at: path)
      }
      try await $0.magic.backup(to: $0.scratch.file("copy.sqlite3"))
    },
    Fault("moved file", .fileMoved) {
      try FileManager.default.moveItem(
        atPath: $0.scratch.file(), toPath: $0.scratch.file("moved.sqlite3"))
      try await $0.magic.update(Secret(5))
    },
    Fault("damaged page", .corrupt) {
      await $0.magic.close()
      let page = try $0.scratch.firstPage(of: "Secret")
      try $0.scratch.damage { $0.resetBytes(in: page) }
      let again = try await MagicData(
        path: $0.scratch.file(), options: MagicOptions(logger: $0.log.logger(withMetadata: true)))
      _ = try await again.object(of: Secret.self) as [Secret]
    },
  ]

  static let migrations = [
    Fault("narrowed column", .needsMigration) {
      try await $0.reopened { _ = try await $0.object(of: Narrowed.Secret.self).count }
    },
    Fault("failing migration step", .migrationFailed) {
      try await $0.reopened { _ = try await $0.object(of: Failing.Holder.self).count }
    },
    Fault("unique index over equal values", .notUnique) {
      try await $0.reopened { _ = try await $0.object(of: Twins.Holder.self).count }
    },
  ]
}

extension Data {
  fileprivate func appending(spaces count: Int) -> Data {
    self + Data(repeating: UInt8(ascii: " "), count: Swift.max(0, count))
  }
}
