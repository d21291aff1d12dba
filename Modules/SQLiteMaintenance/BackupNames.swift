import Foundation
import SQLiteFiles

/// The names of a backup in its directory: the final names, and the names while it is incomplete.
///
///     people.sqlite3                          the backup
///     people.sqlite3-assets                   its files
///     people.sqlite3.partial-1a2b3c4d         the same while they are incomplete
///     people.sqlite3.partial-1a2b3c4d-assets
///     people.sqlite3.partial-1a2b3c4d-lock    locked by the process that writes them
struct BackupNames {
  let name: String
  /// Eight random hexadecimal digits.
  private let number: String

  /// Creates names that no other backup uses.
  init(_ name: String) {
    self.name = name
    number = UUID().uuidString.prefix(8).lowercased()
  }

  /// Creates the names that belong to a lock file; nil for every other file name.
  init?(_ name: String, lock: String) {
    let prefix = name + Self.infix
    guard lock.hasPrefix(prefix), lock.hasSuffix(Self.lockSuffix) else { return nil }
    let number = lock.dropFirst(prefix.count).dropLast(Self.lockSuffix.count)
    guard number.utf8.count == 8,
      number.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.name = name
    self.number = String(number)
  }

  /// The suffixes of the files that SQLite creates next to an incomplete backup.
  static let companions = ["-journal", "-wal", "-shm"]

  private static let infix = ".partial-"
  private static let lockSuffix = "-lock"

  var assets: String { name + StoreFiles.suffix }
  var partial: String { name + Self.infix + number }
  var partialAssets: String { partial + StoreFiles.suffix }
  var lock: String { partial + Self.lockSuffix }

  /// The name of a file in the folder of assets that shows which backup the folder belongs to,
  /// until the backup has its final name. It has the format of the mark of a batch, so that a
  /// process that opens the backup deletes the file.
  var folderMarker: String { "\(number)\(number).open" }
}
