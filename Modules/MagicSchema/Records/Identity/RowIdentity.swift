/// Names a database within this process, so that an object knows which one it is saved in.
package struct StoreToken: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The row an object is: which database, and which row of its type's table.
package struct RowIdentity: Equatable, Sendable {
  package let store: StoreToken
  package let zIndex: ZIndex

  package init(store: StoreToken, zIndex: ZIndex) {
    self.store = store
    self.zIndex = zIndex
  }
}

/// Keeps a store open.
package typealias StoreKeeper = any AnyObject & Sendable
