import Foundation
import MagicStore
import MagicTestSupport
import SQLiteStore

/// The databases of several devices, by name.
extension Scratch {
  func using(_ name: String, _ body: (MagicObjectStore) throws -> Void) throws {
    let store = try MagicObjectStore.open(.file(file(name)))
    defer { store.close() }
    try body(store)
  }

  func copy(_ name: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: file(name), toPath: file(other))
  }
}
