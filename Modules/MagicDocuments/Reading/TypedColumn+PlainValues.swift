import DatabaseTransfer
import Foundation
import MagicExchange
import MagicSchema
import Magical

extension TypedColumn {
  /// Sets a property of one of the frequent types. The compiler knows them here; other types need several
  /// lookups of metadata for each value.
  ///
  /// - Returns: false for another type or another value, which this function leaves to the general one.
  func setPlain(
    _ json: UnsafeRawBufferPointer, as kind: TransferredKind, of property: PropertyReference
  ) -> Bool {
    switch kind {
    case .text where Value.self == String.self:
      guard let text = JSONText.quoted(json).flatMap(JSONText.string) else { return false }
      property.boxForChange(String.self).store(text)
    case .integer where Value.self == Int.self:
      guard let integer = JSONScalar.integer(json).flatMap(Int.init(exactly:)) else {
        return false
      }
      property.boxForChange(Int.self).store(integer)
    case .real where Value.self == Double.self:
      guard let real = JSONScalar.real(json), !real.isNaN else { return false }
      property.boxForChange(Double.self).store(real)
    case .boolean where Value.self == Bool.self:
      guard let boolean = JSONScalar.boolean(json) else { return false }
      property.boxForChange(Bool.self).store(boolean)
    case .blob where Value.self == [UInt8].self:
      guard let bytes = JSONScalar.blob(json) else { return false }
      property.boxForChange([UInt8].self).store(bytes)
    default: return false
    }
    return true
  }
}
