import Magical
package import MagicSQLite

/// Writes a value to one parameter of a statement.
package struct ParameterWriter: MagicalWriter {
  let statement: SQLiteStatement
  let index: Int
  let arena: ParameterArena

  package init(statement: SQLiteStatement, index: Int, arena: ParameterArena) {
    self.statement = statement
    self.index = index
    self.arena = arena
  }

  package func write(integer: Int64) throws { try statement.bind(integer, at: index) }
  package func write(real: Double) throws { try statement.bind(real, at: index) }

  package func write(text: UnsafeRawBufferPointer) throws {
    try statement.bind(text: text, at: index, in: arena)
  }

  package func write(blob: UnsafeRawBufferPointer) throws {
    try statement.bind(blob: blob, at: index, in: arena)
  }
}
