import Foundation

/// A value that tasks share.
final class LiveBox<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var content: Value

  init(_ value: Value) { content = value }

  var value: Value { lock.withLock { content } }

  func change(_ body: (inout Value) -> Void) { lock.withLock { body(&content) } }
}

extension LiveBox<Int> {
  func add(_ number: Int) { change { $0 += number } }
}
