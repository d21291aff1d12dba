extension ReadableFile {
  /// Reads the file to its end in pieces of one MiB. Throws when the task is cancelled.
  ///
  /// - Parameter buffer: the buffer for a piece, for callers that read many files; nil to allocate
  ///   one.
  package func forEachPiece(
    in buffer: UnsafeMutableRawBufferPointer? = nil,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let buffer else {
      let own = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { own.deallocate() }
      return try forEachPiece(in: own, body)
    }
    var offset = 0
    while true {
      try Task.checkCancellation()
      let count = try read(at: offset, into: buffer)
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }

  /// Copies the file to its end. Throws when the task is cancelled.
  package func copy(to sink: FileSink) throws { try forEachPiece { try sink.write($0) } }
}
