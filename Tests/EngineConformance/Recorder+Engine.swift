package import MagicTestSupport
package import Testing

extension Recorder<String> {
  /// Expects a number of statements that read or write rows. Checks nothing on an engine without a
  /// log of statements.
  package func expectRan(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    guard TestedEngine.current.has(.statements) else { return }
    #expect(work.count == count, "\(work)", sourceLocation: sourceLocation)
  }

  /// Expects a number of statements that write. Checks nothing on an engine without a log of
  /// statements.
  package func expectWrote(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    guard TestedEngine.current.has(.statements) else { return }
    #expect(writes.count == count, "\(writes)", sourceLocation: sourceLocation)
  }
}
