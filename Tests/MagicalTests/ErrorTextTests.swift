import Foundation
import Magical
import Testing

private struct Account: MagicalCodable {
  var owner: String
  var balance: Double
}

/// Stored values are not in error texts, because others read logs.
@Suite struct ErrorTextTests {
  private let secret = "s3cret"

  private func text(of body: () throws -> Void) -> String {
    do {
      try body()
      Issue.record("No error was thrown.")
      return ""
    } catch {
      return "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
    }
  }

  @Test func noErrorTextContainsTheValue() {
    let texts = [
      text { _ = try StoredCell.text(secret).load(UUID.self) },
      text { _ = try StoredCell.text(secret).load(Decimal.self) },
      text { _ = try StoredCell.text(secret).load(Int.self) },
      text { _ = try StoredCell.text("http://[\(secret)").load(URL.self) },
      text { _ = try StoredCell.text(Array(secret.utf8) + [0xff]).load(String.self) },
      text { _ = try StoredCell.json("[\"\(secret)\"]").load([Int].self) },
      text { _ = try StoredCell.json("{\"\(secret)\":\"\(secret)\"}").load([String: Int].self) },
      text { _ = try StoredCell.json(secret).load([String].self) },
      text { _ = try StoredCell(storing: [secret: Double.nan]) },
      text { _ = try StoredCell(storing: Account(owner: secret, balance: .infinity)) },
    ]
    for text in texts {
      #expect(!text.isEmpty)
      #expect(!text.contains(secret), "\(text)")
    }
  }

  @Test func noErrorTextContainsNumbers() {
    let texts = [
      text { _ = try StoredCell.integer(987_654).load(UInt8.self) },
      text { _ = try StoredCell.integer(987_654).load(Bool.self) },
      text { _ = try StoredCell.json("[987654]").load([UInt8?].self) },
      text { _ = try StoredCell.json("{\"987654\":1}").load([UInt8: Int].self) },
    ]
    for text in texts { #expect(!text.contains("987654"), "\(text)") }
  }

  @Test func theErrorNamesAMissingKey() {
    let text = text { _ = try StoredCell.json("{\"owner\":\"\(secret)\"}").load(Account.self) }
    #expect(text.contains("balance"))
    #expect(!text.contains(secret))
  }

  @Test func theErrorNamesAWrongStorageClass() {
    #expect(throws: MagicalError.cannotDecode("the column holds TEXT, not INTEGER")) {
      try StoredCell.text("7").load(Int.self)
    }
    #expect(throws: MagicalError.cannotDecode("the column holds NULL, not TEXT")) {
      try StoredCell.null.load(String.self)
    }
  }
}
