import DatabaseTransfer

/// Writes rows as lines of JSON: an object a line, with a member for each column. The values have the
/// forms of ``JSONScalar``.
struct JSONLineWriter {
  /// The names of the columns with their quotes, and the colon after them.
  private let keys: [[UInt8]]

  init(names: [String]) {
    keys = names.map { name in
      var key: [UInt8] = []
      Array(name.utf8).withUnsafeBytes { JSONScalar.write(text: $0, to: &key) }
      return key + ":".utf8
    }
  }

  /// Appends a line.
  func write(_ values: [TransferredValue], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += keys[index]
      JSONScalar.write(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }
}
