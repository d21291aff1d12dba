package import Magical

/// The column of a `@MagicVersion`.
package final class VersionColumn: TypedColumn<Int>, @unchecked Sendable {
  /// The version of a new row, and the default for rows that are older than the column.
  package static var first: Int { 1 }

  package override func write(
    _ reference: PropertyReference, to writer: inout some MagicalWriter,
    marking: (AnyPropertyBox) -> Void
  ) throws -> Bool {
    try (reference.load(Int.self, marking: marking) ?? Self.first).write(to: &writer)
    return true
  }

  package override var hasOwnChangeRule: Bool { true }

  /// False: a new version is not a change of the object.
  package override func isChanged(
    _ property: PropertyReference, since first: PropertyReference
  ) -> Bool { false }
}
