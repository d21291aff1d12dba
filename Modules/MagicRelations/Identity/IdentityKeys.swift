import MagicSchema

/// The keys that identify an object: its instance, its row and its primary value, as they were when
/// they were read.
struct IdentityKeys {
  let instance: UInt
  let row: RowIdentity?
  let primary: StoredPrimary?
  let hashes: Hashes
  /// The counters of identity changes before the keys were read.
  let version: IdentityEpoch

  init(of object: ObjectReference, version: IdentityEpoch) {
    self.version = version
    instance = object.instanceKey
    row = object.identity
    primary = object.assignedPrimary
    hashes = Hashes(
      instance: Self.mix(UInt64(instance)),
      row: row.map {
        Self.mix(UInt64(bitPattern: $0.zIndex.rawValue) &+ $0.store.rawValue << 48 &+ 1 << 63)
      },
      primary: primary.map { Self.mix(UInt64(UInt(bitPattern: $0.hashValue))) })
  }

  private static func mix(_ value: UInt64) -> UInt32 {
    let mixed = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9 >> 32)
  }
}

extension IdentityKeys {
  /// The hashes of the keys, which an index stores for an object.
  struct Hashes: Equatable {
    let instance: UInt32
    let row: UInt32?
    let primary: UInt32?

    func forEach(_ body: (UInt32) -> Void) {
      body(instance)
      if let row { body(row) }
      if let primary { body(primary) }
    }
  }

  /// Returns whether an object is a copy of the same instance.
  func matchesInstance(of object: ObjectReference) -> Bool { object.instanceKey == instance }

  /// Returns whether an object is the same row.
  func matchesRow(of object: ObjectReference) -> Bool { row != nil && object.identity == row }

  /// Returns whether an object has the same primary value, unless both have rows. Objects with rows
  /// are compared by their rows.
  func matchesPrimary(of object: ObjectReference) -> Bool {
    (row == nil || object.identity == nil) && primary != nil && object.assignedPrimary == primary
  }
}

extension ObjectReference {
  /// The primary value; nil if the type has none or it is not assigned yet.
  fileprivate var assignedPrimary: StoredPrimary? {
    guard let primary = schema.primary else { return nil }
    return schema.columns[primary].assignedPrimary(property(primary))
  }
}
