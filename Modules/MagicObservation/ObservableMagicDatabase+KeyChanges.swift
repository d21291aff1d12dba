import MagicEngine
import MagicRuntime
public import MagicSchema
public import MagicStore
public import Magical

extension ObservableMagicDatabase {
  /// Returns the changes to the object with a key: to the row that has the key, or had it before. The
  /// values are compared in their stored form.
  ///
  /// ```swift
  /// for await _ in magic.changes(of: Subscription.self, key: ada, "news") { print("changed") }
  /// ```
  ///
  /// The value of a to-one is the object that it refers to, or the row ID of that object. The stream
  /// ends immediately if the values do not fit the key of the type, or an object among them is not
  /// saved in this database. `object(of:key:)` throws an error with the reason.
  ///
  /// - Parameter limit: the maximum number of buffered elements, before they are merged. Default:
  ///   64.
  public func changes<
    Model: MagicObject, First: Magical & Sendable, each Other: Magical & Sendable
  >(
    of type: Model.Type, key first: First, _ others: repeat each Other,
    bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    let key = try? ObjectSchema.of(type).keyValues(first, repeat each others)
    let token = _observation.store.database.token
    guard let digests = key?.map({ $0.digest(in: token) }),
      case let known = digests.compactMap({ $0 }), known.count == digests.count
    else { return MagicChangeStream(nil) { _ in nil } }
    return changes(type, limit) { table in table.with(table.rows(withKey: known)) }
  }
}

extension QueryValue {
  /// Returns the digest of the stored form; nil for an object that is not saved in the database.
  fileprivate func digest(in store: StoreToken) -> ValueDigest? {
    switch self {
    case .integer(let integer): ValueDigest(integer: integer)
    case .real(let real): ValueDigest(real: real)
    case .text(var text): text.withUTF8 { ValueDigest(text: UnsafeRawBufferPointer($0)) }
    case .blob(let bytes): bytes.withUnsafeBytes { ValueDigest(blob: $0) }
    case .object(let object):
      (try? store.rowID(of: object, isWriting: false)).map { ValueDigest(integer: $0) }
    case .null, .list: nil
    }
  }
}
