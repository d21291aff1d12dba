#if canImport(CloudKit)
  public import CloudKit
  import Foundation

  extension MagicCloudRecord {
    /// Creates the values of a record of CloudKit. Fields with locations and encrypted values are left
    /// out.
    ///
    /// The file of an asset is one of CloudKit's cache: save the object, which copies it, soon.
    public init(ckRecord record: CKRecord) {
      self.init(recordType: record.recordType, recordName: record.recordID.recordName)
      for name in record.allKeys() {
        if let value = record.object(forKey: name) { fields[name] = MagicCloudValue(value) }
      }
    }

    /// Returns a new record of CloudKit.
    ///
    /// - Parameter zone: the zone of the record and of those to which it refers. Default: the default
    ///   zone.
    public func ckRecord(in zone: CKRecordZone.ID? = nil) -> CKRecord {
      let zone = zone ?? CKRecordZone.default().zoneID
      let record = CKRecord(
        recordType: recordType, recordID: CKRecord.ID(recordName: recordName, zoneID: zone))
      write(to: record)
      return record
    }

    /// Writes the fields to a record that was fetched from CloudKit, which keeps its change tag and its
    /// other fields. Null removes a field.
    public func write(to record: CKRecord) {
      for (name, value) in fields {
        record.setObject(value.object(in: record.recordID.zoneID), forKey: name)
      }
    }
  }

  extension MagicCloudValue {
    /// Creates the value of a field; nil for one that no property has.
    fileprivate init?(_ value: Any) {
      switch value {
      case let text as String: self = .text(text)
      case let date as Date: self = .date(date)
      case let data as Data: self = .data(data)
      case let number as NSNumber:
        let isReal = ["f", "d"].contains(String(cString: number.objCType))
        self = isReal ? .real(number.doubleValue) : .integer(number.int64Value)
      case let reference as CKRecord.Reference: self = .reference(reference.recordID.recordName)
      case let asset as CKAsset:
        guard let file = asset.fileURL else { return nil }
        self = .file(file)
      case let list as [Any]:
        let values = list.compactMap { MagicCloudValue($0) }
        guard values.count == list.count else { return nil }
        self = .list(values)
      default: return nil
      }
    }

    /// The value of a field; nil for none. CloudKit does not allow empty lists.
    fileprivate func object(in zone: CKRecordZone.ID) -> (any CKRecordValue)? {
      switch self {
      case .null: nil
      case .text(let text): NSString(string: text)
      case .integer(let integer): NSNumber(value: integer)
      case .real(let real): NSNumber(value: real)
      case .date(let date):
        NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
      case .data(let data): NSData(data: data)
      case .reference(let name):
        CKRecord.Reference(
          recordID: CKRecord.ID(recordName: name, zoneID: zone), action: .none)
      case .file(let url): CKAsset(fileURL: url)
      case .list(let values):
        values.isEmpty ? nil : NSArray(array: values.compactMap { $0.object(in: zone) })
      }
    }
  }
#endif
