import Foundation
public import MagicData
public import Workloads

extension PlainParcel.State: Magical {}
extension PlainParcel.Size: Magical {}

/// An object whose values are stored in another form than that of Swift.
struct Parcel: MagicObject {
  @MagicValue var key: UUID
  @MagicValue var state: PlainParcel.State
  @MagicValue var size: PlainParcel.Size
  @MagicValue var price: Decimal
  @MagicValue var sent: Date
  @MagicValue var isFragile: Bool
  @MagicValue var isInsured: Bool

  init() {}

  init(_ parcel: PlainParcel) {
    key = parcel.key
    state = parcel.state
    size = parcel.size
    price = parcel.price
    sent = parcel.sent
    isFragile = parcel.isFragile
    isInsured = parcel.isInsured
  }
}
