internal import Foundation
internal import GRDB
internal import Workloads

/// The C twin's rows of values whose stored form is not that of Swift, and of optional values. GRDB
/// converts texts to `UUID` and `Decimal`.
extension GRDBSQL {
  func insert(_ parcels: [PlainParcel]) -> Job {
    { _ in
      try await pool.write { db in
        let statement = try db.cachedStatement(
          sql: """
            INSERT INTO parcel (key, state, size, price, sent, is_fragile, is_insured)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
        for parcel in parcels {
          try statement.execute(arguments: [
            parcel.key.uuidString, parcel.state.rawValue, parcel.size.rawValue,
            parcel.price, parcel.sent.timeIntervalSince1970, parcel.isFragile, parcel.isInsured,
          ])
        }
      }
      return Checksum()
    }
  }

  func fetchParcels() -> Job {
    { _ in
      let parcels = try await pool.read { db in
        let statement = try db.cachedStatement(
          sql: """
            SELECT key, state, size, price, sent, is_fragile, is_insured FROM parcel
            ORDER BY z_index
            """)
        var parcels: [PlainParcel] = []
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() { parcels.append(PlainParcel(row)) }
        return parcels
      }
      var checksum = Checksum()
      for parcel in parcels {
        checksum.add(
          key: parcel.key, state: parcel.state.rawValue, size: parcel.size.rawValue,
          price: parcel.price, sent: parcel.sent, isFragile: parcel.isFragile,
          isInsured: parcel.isInsured)
      }
      return checksum
    }
  }

  func insert(_ readings: [PlainReading]) -> Job {
    { _ in
      try await pool.write { db in
        let places = Array(repeating: "?", count: PlainReading.sensors + 1)
          .joined(separator: ", ")
        let statement = try db.cachedStatement(
          sql: "INSERT INTO reading (number, \(Schema.sensors)) VALUES (\(places))")
        for reading in readings {
          try statement.execute(arguments: [reading.number] + StatementArguments(reading.values))
        }
      }
      return Checksum()
    }
  }

  func fetchReadings() -> Job {
    { _ in
      let readings = try await pool.read { db in
        let statement = try db.cachedStatement(
          sql: "SELECT number, \(Schema.sensors) FROM reading ORDER BY z_index")
        var readings: [PlainReading] = []
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
          readings.append(
            PlainReading(number: row[0], values: (1...PlainReading.sensors).map { row[$0] }))
        }
        return readings
      }
      var checksum = Checksum()
      for reading in readings {
        checksum.add(reading.number)
        for value in reading.values { checksum.add(value ?? 1) }
      }
      return checksum
    }
  }
}

extension PlainParcel {
  fileprivate init(_ row: Row) {
    self.init(
      key: row[0], state: State(rawValue: row[1]) ?? .ordered,
      size: Size(rawValue: row[2]) ?? .small, price: row[3],
      sent: Date(timeIntervalSince1970: row[4]), isFragile: row[5], isInsured: row[6])
  }
}
