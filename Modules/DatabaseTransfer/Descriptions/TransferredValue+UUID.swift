import Magical

extension TransferredValue {
  /// Creates the value of a UUID's text; nil if it is not one.
  package init?(uuidText text: UnsafeRawBufferPointer) {
    guard let uuid = UUIDText.bytes(of: text) else { return nil }
    self = .uuid(withUnsafeBytes(of: uuid) { Array($0) })
  }

  /// Returns the text of a UUID.
  package static func uuidText(_ uuid: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: UUIDText.length) { text, count in
      uuid.withUnsafeBytes { UUIDText.write($0, to: UnsafeMutableRawBufferPointer(text)) }
      count = UUIDText.length
    }
  }
}
