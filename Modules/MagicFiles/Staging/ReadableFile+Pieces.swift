extension ReadableFile {
  /// Reads the file to its end, a MiB at a time; ends where the task is cancelled.
  ///
  /// - Parameter buffer: what to read into, for who reads many files; nil for one of its own.
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

  /// Copies the file to its end; ends where the task is cancelled.
  package func copy(to sink: FileSink) throws { try forEachPiece { try sink.write($0) } }
}
