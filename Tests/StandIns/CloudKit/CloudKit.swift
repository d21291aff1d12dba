// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of CloudKit that MagicRecords and `Usage.swift` use.
@_exported public import Foundation

public protocol CKRecordValue {}

extension NSString: CKRecordValue {}
extension NSNumber: CKRecordValue {}
extension NSArray: CKRecordValue {}
extension NSDate: CKRecordValue {}
extension NSData: CKRecordValue {}

public final class CKAsset: NSObject, CKRecordValue {
  public let fileURL: URL?
  public init(fileURL: URL) { self.fileURL = fileURL }
}

public final class CKRecordZone: NSObject {
  public final class ID: NSObject, @unchecked Sendable {}
  public let zoneID = ID()
  public static func `default`() -> CKRecordZone { CKRecordZone() }
}

public final class CKRecord: NSObject, @unchecked Sendable {
  public typealias RecordType = String
  public typealias FieldKey = String

  public final class ID: NSObject, @unchecked Sendable {
    public let recordName: String
    public let zoneID: CKRecordZone.ID

    public init(recordName: String, zoneID: CKRecordZone.ID) {
      self.recordName = recordName
      self.zoneID = zoneID
    }
  }

  public enum ReferenceAction: UInt, Sendable { case none, deleteSelf }

  public final class Reference: NSObject, CKRecordValue {
    public let recordID: ID
    public init(recordID: ID, action: ReferenceAction) { self.recordID = recordID }
  }

  public let recordType: RecordType
  public let recordID: ID
  private var fields: [FieldKey: any CKRecordValue] = [:]

  public init(recordType: RecordType, recordID: ID) {
    self.recordType = recordType
    self.recordID = recordID
  }

  public func allKeys() -> [FieldKey] { Array(fields.keys) }
  public func object(forKey key: FieldKey) -> (any CKRecordValue)? { fields[key] }
  public func setObject(_ object: (any CKRecordValue)?, forKey key: FieldKey) {
    fields[key] = object
  }
}
