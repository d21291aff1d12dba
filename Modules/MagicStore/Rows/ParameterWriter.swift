import Magical
import MagicSQLite

/// One parameter of a statement, as values write it.
struct ParameterWriter: MagicalWriter {
  let statement: SQLiteStatement
  let index: Int
  let arena: ParameterArena

  func write(integer: Int64) throws { try statement.bind(integer, at: index) }
  func write(real: Double) throws { try statement.bind(real, at: index) }

  func write(text: UnsafeRawBufferPointer) throws {
    try statement.bind(text: text, at: index, in: arena)
  }

  func write(blob: UnsafeRawBufferPointer) throws {
    try statement.bind(blob: blob, at: index, in: arena)
  }
}
