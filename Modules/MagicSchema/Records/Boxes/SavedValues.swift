import MagicRuntime

/// The values that changed properties had when their objects were last fetched or saved, by property
/// box. Each value is in a box of its own, which is not used as a property.
///
/// A flag in each box shows whether there is an entry for it. There is none if the fetched row of
/// the object still contains the value, so that the first change of a fetched object needs no entry.
final class SavedValues: @unchecked Sendable {
  private static let all = (0..<16).map { _ in SavedValues() }

  private let lock = Lock().lockedDuringForks()
  private var copies: [ObjectIdentifier: PropertyStorage] = [:]

  /// The values of some boxes, so that threads that change different objects rarely wait.
  static func of(_ box: PropertyStorage) -> SavedValues {
    all[Int(bitPattern: Unmanaged.passUnretained(box).toOpaque()) >> 5 & 15]
  }

  func copy(for box: PropertyStorage) -> PropertyStorage? {
    lock.withLock { copies[ObjectIdentifier(box)] }
  }

  func keep(_ copy: PropertyStorage, for box: PropertyStorage) {
    lock.withLock { copies[ObjectIdentifier(box)] = copy }
  }

  func take(from box: PropertyStorage) -> PropertyStorage? {
    lock.withLock { copies.removeValue(forKey: ObjectIdentifier(box)) }
  }
}
