extension String {
  /// Creates a string of bytes that were validated before, where the system can do so without a second
  /// validation.
  ///
  /// - Parameter isASCII: whether all bytes are known to be below 128.
  @inlinable @inline(__always)
  init(validated bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
  }
}
