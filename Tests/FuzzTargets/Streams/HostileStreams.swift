import PostgreSQLChanges

/// Random and changed messages of logical decoding, and rows of an outbox. Each is refused as
/// malformed, or is read without leaving its bounds.
public enum HostileStreams {
  /// - Throws: `Finding` if a violation was found.
  public static func run(_ bytes: some Sequence<UInt8>) throws {
    var input = ByteReader(bytes)
    let kind = input.number(below: 4)
    let message = kind == 0 ? input.rest() : message(&input)
    try message.withUnsafeBytes { bytes in
      switch kind {
      case 1: try read { try row(StreamedRow.record(bytes).row, in: bytes) }
      case 2:
        try read {
          guard case .data(let data) = try StreamMessage(bytes) else { return }
          try check(try OutputMessage(data), in: bytes)
        }
      default: try read { try check(try OutputMessage(bytes), in: bytes) }
      }
    }
  }

  /// A message of which the input selects the parts.
  private static func message(_ input: inout ByteReader) -> [UInt8] {
    let kinds = Array("BCRIUDTMYOwkNOKnutb".utf8)
    var message: [UInt8] = []
    while !input.isAtEnd, message.count < 4096 {
      switch input.number(below: 5) {
      case 0: message.append(kinds[input.number(below: kinds.count)])
      case 1: message += [0, 0, 0, UInt8(input.number(below: 8))]
      case 2: message += [0, UInt8(input.number(below: 8))]
      case 3: message += Array("name\0".utf8)
      default: message.append(input.byte())
      }
    }
    return message
  }

  private static func read(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch is MalformedMessage {
    }
  }

  private static func check(_ message: OutputMessage, in bytes: UnsafeRawBufferPointer) throws {
    switch message {
    case .change(_, let old, let new):
      if let old { try row(old, in: bytes) }
      if let new { try row(new, in: bytes) }
    case .message(_, let content): try part(content, in: bytes)
    case .truncate(let tables):
      if tables.count * 4 > bytes.count { throw Finding("A message has more tables than bytes.") }
    case .begin, .commit, .relation, .other: break
    }
  }

  private static func row(_ row: StreamedRow, in bytes: UnsafeRawBufferPointer) throws {
    for case .bytes(let value) in row.values { try part(value, in: bytes) }
  }

  private static func part(
    _ part: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
  ) throws {
    guard part.count > 0, let start = part.baseAddress, let first = bytes.baseAddress else {
      return
    }
    guard start >= first, start + part.count <= first + bytes.count else {
      throw Finding("A value is outside of its message.")
    }
  }
}
