/// An actor that runs the bodies of writes, one after the other.
actor WriteExecutor {
  func run<Result: Sendable>(
    _ body: @Sendable (isolated WriteExecutor) throws -> Result
  ) rethrows -> Result { try body(self) }
}
