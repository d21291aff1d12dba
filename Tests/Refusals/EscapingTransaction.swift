// expected: borrowed and cannot be consumed
import Foundation
import MagicQuery

func keep(_ transaction: consuming MagicTransaction) {}

func escape(_ store: MagicObjectStore) throws {
  try store.transaction { transaction in keep(transaction) }
}
