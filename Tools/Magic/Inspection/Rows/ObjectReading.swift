/// Reads objects with what they refer to, from a file or from a server.
package protocol ObjectReading {
  /// Returns an object, named for a reader.
  func reference(
    to rowID: Int64, of type: InspectedType, key: InspectedValue?
  ) throws -> InspectedReference

  /// Returns the values of an object, in the order of the type's columns; nil if there is no such row.
  func row(_ rowID: Int64, of type: InspectedType) throws -> InspectedRow?

  /// Runs the SQL of a number whose parameter `:row` is a row ID.
  func count(_ query: MemberQuery, _ rowID: Int64) throws -> Int

  /// Returns a page of members or owners.
  func page(
    _ query: MemberQuery, _ rowID: Int64, of type: InspectedType, offset: Int, limit: Int
  ) throws -> MemberPage
}
