/// The place of a record in an imported file.
struct RecordPlace: Hashable, Sendable {
  /// The number of the record, from 1; 0 for the names of the columns.
  let record: Int
  /// The number of the line on which the record begins, from 1.
  let line: Int
}
