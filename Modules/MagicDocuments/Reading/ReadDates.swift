import Foundation

/// The form of dates that differs from that of documents.
struct ReadDates {
  /// Converts a date of JSON to that of documents.
  let converted: ([UInt8]) throws -> [UInt8]
  /// Decodes values that are stored as JSON.
  let decoder: JSONDecoder
}
