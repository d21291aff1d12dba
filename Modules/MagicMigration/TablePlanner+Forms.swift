import MagicSchema
import Magical
import SQLiteTables

/// Values of the same storage class that represent something else.
extension TablePlanner {
  /// Plans the change of what a column's values represent: bytes that become a vector, or numbers that
  /// become dates. The values themselves do not change, so that the type must declare that they have the
  /// new form already, or convert them.
  mutating func planForm(
    of column: ColumnSchema, from existing: TableDescription.Column
  ) throws {
    guard let form = StoredProperty.form(of: column), let stored = existing.form,
      existing.isStored, form.misreads(stored)
    else { return }
    let summary = "\(column.name) becomes \(form.noun) instead of \(stored.noun)"
    let refusal = try refusal(of: form, instead: stored, column, existing)
    changes.append(
      TableChange(
        kind: .additive, property: column.property, summary: summary, refusal: refusal,
        statements: []))
  }

  private func refusal(
    of form: ValueForm, instead stored: ValueForm, _ column: ColumnSchema,
    _ existing: TableDescription.Column
  ) throws -> String? {
    guard try statistics.valueCount(of: existing) > 0 else { return nil }
    let transform = ".transformValue(name: \"\(column.name)\")"
    guard form.canContain(stored) else {
      return "declare \(transform) in the type's migrations to convert the values"
    }
    guard existing.mayLose else {
      return
        "declare .convertValue(name: \"\(column.name)\") in the type's migrations if the values are "
        + "\(form.noun) already, or \(transform) to convert them"
    }
    guard form == .vector else { return nil }
    let rows = try statistics.rows(where: VectorColumn.isInvalid, of: existing)
    return rows.isEmpty
      ? nil
      : "\(RowIDText.text(rows, RowIDText.have)) bytes that are not a vector, which has four bytes for each number"
  }
}

extension ValueForm {
  /// Whether values of another form can be values of this form, which ``misreads(_:)`` it.
  fileprivate func canContain(_ stored: ValueForm) -> Bool {
    switch (stored, self) {
    case (.data, .vector), (.real, .date): true
    default: false
    }
  }

  /// The values in a message.
  fileprivate var noun: String {
    switch self {
    case .vector: "vectors"
    case .date: "dates"
    case .real: "numbers"
    case .json: "JSON"
    case .uuidBytes: "the bytes of UUIDs"
    default: "bytes"
    }
  }
}
