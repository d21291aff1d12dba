/// A message of a replication stream, as the protocol "Streaming Replication" of PostgreSQL defines it.
package enum StreamMessage {
  /// A part of the log, in the form of the plugin `pgoutput`.
  case data(UnsafeRawBufferPointer)
  /// The position of the server, and whether it waits for an answer.
  case keepalive(position: UInt64, mustReply: Bool)

  /// - Throws: ``MalformedMessage``.
  package init(_ bytes: UnsafeRawBufferPointer) throws {
    var cursor = ByteCursor(bytes)
    switch try cursor.byte() {
    case UInt8(ascii: "w"):
      // The positions of the data and of the server, and the time.
      _ = try cursor.bytes(24)
      self = .data(cursor.remaining)
    case UInt8(ascii: "k"):
      let position = try cursor.integer(UInt64.self)
      _ = try cursor.bytes(8)
      self = .keepalive(position: position, mustReply: try cursor.byte() != 0)
    default: throw MalformedMessage("A message of the stream has an unknown type.")
    }
  }

  /// The message that reports to the server up to which position the log was processed.
  static func status(_ position: UInt64) -> [UInt8] {
    var bytes = [UInt8(ascii: "r")]
    // Written, flushed, applied. The time, which the server only shows, is that of its epoch.
    for word in [position, position, position, 0] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.append(0)
    return bytes
  }
}
