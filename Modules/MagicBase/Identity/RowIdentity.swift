/// Identifies a database within this process. The identity of a saved object contains the token of
/// its database.
package struct StoreToken: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identity of a saved object: its database, and the ID of its row in the table of its type.
package struct RowIdentity: Equatable, Sendable {
  package let store: StoreToken
  package let zIndex: ZIndex

  package init(store: StoreToken, zIndex: ZIndex) {
    self.store = store
    self.zIndex = zIndex
  }
}

/// An object that prevents a store from closing as long as it is retained.
package typealias StoreLease = any AnyObject & Sendable
