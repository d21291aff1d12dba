/// The durable bytes of a file, and the later changes that are not known to be durable.
struct DiskImage {
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
  }

  /// The bytes that certainly remain after a power failure, except where later changes overlap
  /// them.
  private var durable: [UInt8] = []
  private var changes: [Change] = []

  init(durable: [UInt8] = []) { self.durable = durable }

  /// The size that programs see.
  var size: Int {
    changes.reduce(durable.count) { size, change in
      switch change {
      case .write(let offset, let bytes): max(size, offset + bytes.count)
      case .truncate(let size): size
      }
    }
  }

  mutating func note(_ change: Change) { changes.append(change) }

  /// Makes all changes so far durable.
  mutating func makeDurable() {
    for change in changes { Self.apply(change, to: &durable) }
    changes = []
  }

  /// Discards the changes since the last sync, which will never reach the disk, although programs
  /// still see them. Systems do this with pages that they could not write.
  mutating func discardChanges() { changes = [] }

  /// One of the possible contents after a power failure.
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

  /// Divides a range of bytes at the boundaries of sectors.
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
