/// A file as the disk has it, and what was done to it that may or may not be on the disk yet.
struct DiskImage {
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
  }

  /// What a loss of power leaves for certain, unless it was changed since.
  private var durable: [UInt8] = []
  private var changes: [Change] = []

  init(durable: [UInt8] = []) { self.durable = durable }

  /// How long programs see it to be.
  var size: Int {
    changes.reduce(durable.count) { size, change in
      switch change {
      case .write(let offset, let bytes): max(size, offset + bytes.count)
      case .truncate(let size): size
      }
    }
  }

  mutating func note(_ change: Change) { changes.append(change) }

  /// All that was done so far is on the disk.
  mutating func settle() {
    for change in changes { Self.apply(change, to: &durable) }
    changes = []
  }

  /// What was done since the last syncing is not on the disk and, though programs go on seeing it,
  /// will not be: so systems deal with what they could not write.
  mutating func forget() { changes = [] }

  /// One of the contents that a loss of power may leave.
  func content(after loss: inout PowerLoss) -> [UInt8] {
    var content = durable
    for change in changes {
      switch (change, loss.fate()) {
      case (_, .lost): break
      case (.write(let offset, let bytes), .torn):
        for sector in Self.sectors(of: offset, count: bytes.count) where loss.keepsSector() {
          let range = (sector.lowerBound - offset)..<(sector.upperBound - offset)
          Self.apply(
            .write(offset: sector.lowerBound, bytes: Array(bytes[range])), to: &content)
        }
      case (_, .kept), (.truncate, .torn): Self.apply(change, to: &content)
      }
    }
    return content
  }

  /// The parts of a range of bytes that lie in one sector each.
  private static func sectors(of offset: Int, count: Int) -> [Range<Int>] {
    let (start, end) = (offset, offset + count)
    return (start / sectorSize...max(start, end - 1) / sectorSize).map { sector in
      max(start, sector * sectorSize)..<min(end, (sector + 1) * sectorSize)
    }
  }

  private static let sectorSize = 512

  private static func apply(_ change: Change, to content: inout [UInt8]) {
    switch change {
    case .truncate(let size) where size <= content.count: content.removeLast(content.count - size)
    case .truncate(let size): content += [UInt8](repeating: 0, count: size - content.count)
    case .write(let offset, let bytes):
      if content.count < offset + bytes.count {
        content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
      }
      content.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
  }
}
