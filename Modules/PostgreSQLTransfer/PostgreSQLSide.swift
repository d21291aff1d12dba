package import DatabaseTransfer
package import MagicFiles
import MagicPostgreSQL

/// A database on a server that a copy reads: its source, and its destination before the commit.
package class PostgreSQLSide {
  let connection: PostgreSQLConnection
  private let reading: PostgreSQLRows
  package private(set) var failure: (any Error)?

  init(connectingTo information: String, schema: String?) throws {
    connection = try PostgreSQLTransferConnection.open(information, schema: schema)
    reading = PostgreSQLRows(connection: connection)
  }

  package func close() {
    connection.rollBack()
    connection.close()
  }

  package func tables() throws -> [TransferredTable] {
    try PostgreSQLTableReader(connection: connection).tables()
  }

  package func count(_ rows: TransferredRows) throws -> Int { try reading.count(rows) }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws { try reading.forEach(rows, body) }

  package func assets() throws -> [AssetName] { try StoredPieces.assets(on: connection) }

  package func open(_ asset: AssetName) throws -> any ReadableFile {
    try StoredPieces(asset, on: connection) { [weak self] in self?.failure = $0 }
  }
}
