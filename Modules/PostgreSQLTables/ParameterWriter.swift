package import MagicPostgreSQL
import Magical

/// A writer that appends one value.
package struct ParameterWriter: MagicalWriter {
  private let fields: PostgreSQLFields

  package init(_ fields: PostgreSQLFields) { self.fields = fields }

  package func write(integer: Int64) { fields.append(integer: integer) }
  package func write(real: Double) { fields.append(real: real) }
  package func write(text: UnsafeRawBufferPointer) { fields.append(text: text) }
  package func write(blob: UnsafeRawBufferPointer) { fields.append(bytes: blob) }
}
