#if canImport(CloudKit)
  public import CloudKit
  public import MagicSchema

  extension MagicObject {
    /// Returns a new record of CloudKit with the values of the object.
    ///
    /// - Parameter zone: the zone of the record and of those to which it refers. Default: the default
    ///   zone.
    /// - Throws: as ``cloudRecord()``.
    public func ckRecord(in zone: CKRecordZone.ID? = nil) throws -> CKRecord {
      try cloudRecord().ckRecord(in: zone)
    }

    /// Creates an object with the values of a record of CloudKit.
    ///
    /// - Throws: as for a ``MagicCloudRecord``.
    public init(ckRecord: CKRecord) throws {
      try self.init(cloudRecord: MagicCloudRecord(ckRecord: ckRecord))
    }
  }
#endif
