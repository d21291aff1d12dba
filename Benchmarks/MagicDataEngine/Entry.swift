import MagicData
import Workloads

/// An object whose primary value is a whole number.
struct Entry: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var title: String
  @MagicValue var amount: Double

  init() {}

  init(_ entry: PlainEntry) {
    id = entry.id
    title = entry.title
    amount = entry.amount
  }
}
