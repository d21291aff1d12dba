import MagicRelations
import MagicStore

/// Writes the rows of a type before and after its migration.
enum ParcelsWriting {
  /// Writes rows of the earlier version of the type.
  static func begin(_ store: MagicObjectStore) throws {
    let stamps = try firstStamps(store)
    let parcels = Rows.parcelsOfEarlier.map { number in
      let parcel = Earlier.Parcel(number: number)
      parcel.stamps = Parcels.stamps(number).compactMap { stamps[$0] }
      return parcel
    }
    try store.update(contentsOf: parcels)
    try store.remove(contentsOf: [parcels[6], parcels[19]])
  }

  /// Migrates the table, and writes rows of the present version of the type.
  static func write(_ store: MagicObjectStore) throws {
    try store.migrate(Parcel.self)
    let stamps = try firstStamps(store)
    let parcels = Rows.parcels.dropFirst(20).map { number in
      let parcel = Parcel(number: number)
      parcel.stamps = MagicalSet(Set(Parcels.stamps(number)).compactMap { stamps[$0] })
      return parcel
    }
    try store.update(contentsOf: parcels)
    try store.remove(parcels[3])
  }

  private static func firstStamps(_ store: MagicObjectStore) throws -> [Int: Stamp] {
    Dictionary(
      try store.object(of: Stamp.self).map { ($0.value, $0) },
      uniquingKeysWith: { first, _ in first })
  }
}
