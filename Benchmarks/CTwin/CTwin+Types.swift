import CMagicSQLite
import Foundation
import Workloads

/// Values whose stored form is not that of Swift, and many optional values.
extension CTwin {
  static let typeTables = """
    CREATE TABLE parcel (z_index INTEGER PRIMARY KEY, key TEXT NOT NULL, state TEXT NOT NULL,
      size INTEGER NOT NULL, price TEXT NOT NULL, sent NOT NULL, is_fragile INTEGER NOT NULL,
      is_insured INTEGER NOT NULL);
    CREATE TABLE reading (z_index INTEGER PRIMARY KEY, number INTEGER NOT NULL, \(sensors))
    """

  private static let sensors = (0..<PlainReading.sensors).map { "s\($0)" }.joined(separator: ", ")

  func insertParcels(_ parcels: [PlainParcel]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(
      """
      INSERT INTO parcel (key, state, size, price, sent, is_fragile, is_insured)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    defer { sqlite3_finalize(statement) }
    for parcel in parcels {
      var (key, state, price) = (
        parcel.key.uuidString, parcel.state.rawValue, parcel.price.description
      )
      try key.withUTF8 { key in
        try state.withUTF8 { state in
          try price.withUTF8 { price in
            bind(key, statement, 1)
            bind(state, statement, 2)
            sqlite3_bind_int64(statement, 3, Int64(parcel.size.rawValue))
            bind(price, statement, 4)
            sqlite3_bind_double(statement, 5, parcel.sent.timeIntervalSince1970)
            sqlite3_bind_int64(statement, 6, parcel.isFragile ? 1 : 0)
            sqlite3_bind_int64(statement, 7, parcel.isInsured ? 1 : 0)
            try finish(statement)
          }
        }
      }
    }
    try execute("COMMIT")
  }

  func fetchParcels() throws -> Checksum {
    let statement = try prepare(
      """
      SELECT key, state, size, price, sent, is_fragile, is_insured FROM parcel ORDER BY z_index
      """)
    defer { sqlite3_finalize(statement) }
    var parcels: [PlainParcel] = []
    while try step(statement) {
      guard let key = UUID(uuidString: text(statement, 0)),
        let state = PlainParcel.State(rawValue: text(statement, 1)),
        let size = PlainParcel.Size(rawValue: Int(sqlite3_column_int64(statement, 2)))
      else { throw Failure(code: SQLITE_MISMATCH, message: "parcel") }
      parcels.append(
        PlainParcel(
          key: key, state: state, size: size, price: decimal(statement, 3),
          sent: Date(timeIntervalSince1970: sqlite3_column_double(statement, 4)),
          isFragile: sqlite3_column_int64(statement, 5) != 0,
          isInsured: sqlite3_column_int64(statement, 6) != 0))
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

  /// The decimal number of a text of at most eighteen digits. `Decimal(string:)` takes several times as
  /// long.
  @inline(__always)
  private func decimal(_ statement: OpaquePointer, _ index: Int32) -> Decimal {
    let start = sqlite3_column_text(statement, index)
    let count = Int(sqlite3_column_bytes(statement, index))
    var (digits, exponent, isFraction, isNegative) = (Int64(0), 0, false, false)
    for byte in UnsafeBufferPointer(start: start, count: count) {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      default:
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
    return Decimal(
      sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
  }

  func insertReadings(_ readings: [PlainReading]) throws {
    try execute("BEGIN IMMEDIATE")
    let places = Array(repeating: "?", count: PlainReading.sensors + 1).joined(separator: ", ")
    let statement = try prepare(
      "INSERT INTO reading (number, \(Self.sensors)) VALUES (\(places))")
    defer { sqlite3_finalize(statement) }
    for reading in readings {
      sqlite3_bind_int64(statement, 1, Int64(reading.number))
      for (index, value) in reading.values.enumerated() {
        if let value {
          sqlite3_bind_double(statement, Int32(index) + 2, value)
        } else {
          sqlite3_bind_null(statement, Int32(index) + 2)
        }
      }
      try finish(statement)
    }
    try execute("COMMIT")
  }

  func fetchReadings() throws -> Checksum {
    let statement = try prepare("SELECT number, \(Self.sensors) FROM reading ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    var readings: [PlainReading] = []
    while try step(statement) {
      let values = [Double?](unsafeUninitializedCapacity: PlainReading.sensors) { values, count in
        for index in 0..<PlainReading.sensors {
          let column = Int32(index) + 1
          let isNull = sqlite3_column_type(statement, column) == SQLITE_NULL
          values.initializeElement(
            at: index, to: isNull ? nil : sqlite3_column_double(statement, column))
        }
        count = PlainReading.sensors
      }
      readings.append(
        PlainReading(number: Int(sqlite3_column_int64(statement, 0)), values: values))
    }
    var checksum = Checksum()
    for reading in readings {
      checksum.add(reading.number)
      for value in reading.values { checksum.add(value ?? 1) }
    }
    return checksum
  }
}
