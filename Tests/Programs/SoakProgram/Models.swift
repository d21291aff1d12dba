import Foundation
import MagicData

/// The object that tasks save, with every kind of relationship.
struct Crate: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var task: Int
  @MagicValue var rank: Int = 0
  @OptionMagicValue(.unique) var code: String?
  @MagicValue var label: Label
  @MagicValue(.onDelete(.cascade)) var parcels: [Parcel] = []
  @MagicValue(.onDelete(.cascade)) var shelves: [String: Parcel] = [:]
  @MagicValue var tags: MagicalSet<Tag> = []
  @MagicValue(.onDelete(.cascade)) var stock: AsyncMagical<[Parcel]> = .init(value: [])
  /// The version of the photo; 0 for none.
  @MagicValue var version: Int = 0
  @MagicValue var photo: MagicAsset<Data>
  @OptionMagicValue var notes: MagicAsset<String>?

  init() { photo = .init() }
}

struct Label: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String
  @ReverseMagicValue(\Crate.$label) var crates: AsyncReverseMagicSet<Crate>

  init() {}

  init(_ number: Int) {
    self.number = number
    text = "label \(number)"
  }
}

struct Parcel: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String
  @ReverseMagicValue(\Crate.$parcels) var crates: AsyncReverseMagicSet<Crate>

  init() {}

  init(_ number: Int) {
    self.number = number
    text = "parcel \(number)"
  }
}

struct Tag: MagicObject {
  @PrimaryMagicValue var number: Int

  init() {}

  init(_ number: Int) { self.number = number }
}

/// An account. Transfers keep the sum of all accounts.
struct Account: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var balance: Int = 1_000

  init() {}

  init(_ number: Int) { self.number = number }
}

/// A counter that is observed.
struct Beat: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var count: Int = 0

  init() {}

  init(_ number: Int) { self.number = number }
}
