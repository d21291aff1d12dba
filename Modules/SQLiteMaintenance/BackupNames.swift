import Foundation
import SQLiteFiles

/// The names of a copy in its directory: those that it gets, and those that it has until it is whole.
///
///     people.sqlite3                          the copy
///     people.sqlite3-assets                   its files
///     people.sqlite3.partial-1a2b3c4d         the same as long as they are not whole
///     people.sqlite3.partial-1a2b3c4d-assets
///     people.sqlite3.partial-1a2b3c4d-lock    locked by who writes them
struct BackupNames {
  let name: String
  /// Eight hexadecimal digits, by chance.
  private let number: String

  /// Names that nobody else has.
  init(_ name: String) {
    self.name = name
    number = UUID().uuidString.prefix(8).lowercased()
  }

  /// The names that a lock belongs to; nil for every other name.
  init?(_ name: String, lock: String) {
    let prefix = name + Self.mark
    guard lock.hasPrefix(prefix), lock.hasSuffix(Self.lockSuffix) else { return nil }
    let number = lock.dropFirst(prefix.count).dropLast(Self.lockSuffix.count)
    guard number.utf8.count == 8,
      number.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.name = name
    self.number = String(number)
  }

  private static let mark = ".partial-"
  private static let lockSuffix = "-lock"

  var assets: String { name + StoreFiles.suffix }
  var partial: String { name + Self.mark + number }
  var partialAssets: String { partial + StoreFiles.suffix }
  var lock: String { partial + Self.lockSuffix }

  /// A file in the folder of assets that says whose folder it is until the copy has its name. It looks
  /// like the mark of a batch, so that whoever opens the copy takes it away.
  var folderMark: String { "\(number)\(number).open" }
}
