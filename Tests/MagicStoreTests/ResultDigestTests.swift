import MagicSQLite
import MagicStore
import SQLiteEngine
import Testing

/// Digests distinguish results.
@Suite struct ResultDigestTests {
  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection(inMemory: SQLiteConfiguration()) }

  private func digest(_ columns: String) throws -> ResultDigest.Value {
    let statement = try connection.prepare("SELECT \(columns)")
    _ = try statement.step()
    let digest = ResultDigest()
    digest.add(statement, 0..<statement.columnCount)
    return digest.value
  }

  @Test func equalColumnsHaveOneDigest() throws {
    for columns in ["1, 'a', x'00', 1.5, NULL", "'', x''"] {
      #expect(try digest(columns) == digest(columns))
    }
  }

  @Test func equalValuesOfDifferentStorageClassesHaveDifferentDigests() throws {
    let columns = ["1", "1.0", "'1'", "x'31'", "NULL", "0", "''", "x''"]
    for (place, one) in columns.enumerated() {
      for other in columns[(place + 1)...] { #expect(try digest(one) != digest(other)) }
    }
  }

  /// The bytes of a text may equal the start of the next value.
  @Test(arguments: 0..<8) func bytesThatAreDividedDifferentlyHaveDifferentDigests(kind: Int) throws
  {
    let one = "'a' || char(\(kind)) || 'b', 'c'"
    let other = "'a', 'b' || char(\(kind)) || 'c'"
    #expect(try digest(one) != digest(other))
    #expect(try digest("'ab', 'c'") != digest("'a', 'bc'"))
  }
}
