package import Foundation
package import MagicData

/// A type with a property of each type of values.
package struct Sample: MagicObject {
  @MagicValue package var text: String = ""
  @MagicValue package var url: URL = URL(fileURLWithPath: "/")
  @MagicValue package var uuid: UUID = UUID()
  @MagicValue package var int: Int = 0
  @MagicValue package var small: Int8 = 0
  @MagicValue package var unsigned: UInt32 = 0
  @MagicValue package var flag: Bool = false
  @MagicValue package var real: Double = 0
  @MagicValue package var single: Float = 0
  @MagicValue package var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  @MagicValue package var decimal: Decimal = 0
  @MagicValue package var data: Data = Data()
  @MagicValue package var bytes: [UInt8] = []
  @MagicValue package var list: [String] = []
  @MagicValue package var map: [String: Int] = [:]
  @OptionMagicValue package var note: String?
  @OptionMagicValue package var number: Double?

  package init() {}
}
