import MagicSchema
import Magical
import SQLiteTables

/// A column of a foreign table that is copied.
struct AdoptedColumn {
  /// The name in the new table.
  let name: String
  /// The expression for the value in the new table, computed from `row`.
  var value: String
  var reference: AdoptedReference?
  var relationship: Relationship?
}

extension AdoptionPlanner {
  /// Plans the copy of one column.
  mutating func adopted(_ name: String) throws -> AdoptedColumn {
    let unchanged = AdoptedColumn(name: name, value: "row.\(name.quoted)")
    guard let property = property(of: name) else { return unchanged }
    // The primary that is the row ID has no column; the row IDs are compared with its values later.
    let newName = property.isRowID ? name : property.name
    if property.isFile {
      refusals.append("\(newName) is an asset, but the table has no files")
      return unchanged
    }
    guard !isTransformed(property) else {
      return AdoptedColumn(name: newName, value: unchanged.value)
    }
    if let toOne = property as? ToOneColumn { return try adopted(name, toOne) }
    guard let conversion = AdoptedValue(property, dates: dates) else {
      try refuseUndeclaredDates(name, property)
      return AdoptedColumn(name: newName, value: unchanged.value)
    }
    let invalid = try rows.firstRows(
      "SELECT \"z_index\" FROM \(table.rows([name], isPlanned: false)) AS row "
        + "WHERE \(unchanged.value) IS NOT NULL AND \(conversion.violation(unchanged.value))")
    if !invalid.isEmpty {
      refusals.append(
        "\(RowIDText.text(invalid, RowIDText.have)) a value of \(name) that is not "
          + "\(conversion.description): declare .transformValue(name: \"\(newName)\") after it to "
          + "convert the values")
    }
    return AdoptedColumn(name: newName, value: conversion.expression(unchanged.value))
  }

  /// Returns the property that takes the values of a column: the one that is stored under its name,
  /// or was.
  func property(of name: String) -> ColumnSchema? {
    schema.columns.first { column in
      let own = column.isRowID ? [column.property] : [column.name]
      let names = own + schema.formerNames(of: column)
      return names.first { table.column($0) != nil }?.isName(name) ?? false
    }
  }

  /// Whether a later change replaces all values of a property, so that they are copied as they are.
  private func isTransformed(_ property: ColumnSchema) -> Bool {
    changes.contains { pending in
      guard case .transform(let transform) = pending.change.kind, let name = transform.property
      else { return false }
      return property.isNamed(name, in: schema)
    }
  }

  /// Whether a later change permits that a property loses values.
  func mayLose(_ property: PropertySchema) -> Bool {
    changes.contains { pending in
      guard case .convert(let name) = pending.change.kind else { return false }
      return property.isNamed(name, in: schema)
    }
  }

  private mutating func refuseUndeclaredDates(_ name: String, _ property: ColumnSchema) throws {
    guard property.codec == .date, !changes.contains(where: { $0.change.readsRows }) else { return }
    let count = try rows.integer(
      "SELECT count(*) FROM \(table.storedName.quoted) WHERE \(name.quoted) IS NOT NULL")
    guard count > 0 else { return }
    refusals.append(
      "\(name) is a date: declare its format, for example .adoptTable(dates: .unixSeconds)")
  }
}

extension PropertySchema {
  func isNamed(_ name: String, in schema: ObjectSchema) -> Bool {
    ([property] + schema.names(of: self)).contains { $0.isName(name) }
  }
}
