@_spi(Tools) import MagicData
import MagicInspection

extension DescribedImport {
  /// Sets the references to objects that later records have saved.
  ///
  /// - Parameter report: receives the error of each record that refers to no object.
  func setReferences(
    _ transaction: borrowing MagicTransaction, _ report: (MagicRecordReader.Fault) throws -> Void
  ) throws {
    guard let primary = type.probablePrimary else { return }
    for reference in pending.removeAll() {
      guard let row = try rowID(primary, reference.key, in: type, transaction) else {
        try report(
          MagicRecordReader.Fault(
            property: reference.cell.property,
            reason:
              "there is no object of the type \(InspectedText.line(type.name)) with this value, nor "
              + "among the records that are committed together",
            place: reference.place))
        continue
      }
      let column = properties[reference.cell.property].column.quoted
      do {
        try transaction.sql(
          """
          UPDATE \(raw: type.table.quoted) SET \(raw: column) = \(row) \
          WHERE z_index = \(reference.cell.row)
          """
        ).run()
      } catch let error as MagicError where Self.recordCodes.contains(error.code) {
        try report(fault(error, at: reference.place, property: reference.cell.property))
      }
    }
  }
}
