/// An actor that bodies of writes run on, one after the other.
actor WriteGate {
  func run<Result: Sendable>(
    _ body: @Sendable (isolated WriteGate) throws -> Result
  ) rethrows -> Result { try body(self) }
}
