import Foundation
import MagicInspection

extension Replacement {
  /// Checks the file to replace, without writing to it.
  ///
  /// - Returns: whether it is a damaged database.
  /// - Throws: ``CommandError`` with the status `noDatabase` for a file of another program.
  static func isDamaged(_ path: String) throws -> Bool {
    let files = FileManager.default
    guard files.fileExists(atPath: path) else {
      // A link to nothing, or a circle of links, would be replaced.
      guard (try? files.destinationOfSymbolicLink(atPath: path)) == nil else { throw foreign }
      return false
    }
    guard let attributes = try? files.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { throw foreign }
    guard (attributes[.size] as? NSNumber)?.intValue != 0 else { return false }
    do {
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let result = try reader.query(
        "SELECT count(*), total(name = 'magic_format') FROM sqlite_schema")
      guard let row = result.rows.first, let count = row[0].integer, let marks = row[1].number
      else { return true }
      // A database without tables has no content.
      guard count == 0 || marks > 0 else { throw foreign }
      return false
    } catch let error as InspectionError {
      switch error.kind {
      case .damaged: return true
      case .notADatabase:
        guard hasHeader(path) else { throw foreign }
        return true
      // The lock decides whether a program has it open, and the library what was unfinished.
      case .busy, .unfinished: return false
      default: throw error
      }
    }
  }

  /// Whether a file begins as all databases of SQLite do.
  private static func hasHeader(_ path: String) -> Bool {
    let handle = FileHandle(forReadingAtPath: path)
    defer { try? handle?.close() }
    return (try? handle?.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }

  private static let foreign = CommandError(
    ExitStatus.noDatabase,
    "The file to replace is not a database of MagicData. Move it away, or choose another path; "
      + "nothing was changed.")

  /// Whether two paths are those of one file, also by links.
  static func isSameFile(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Gives a file the permissions and the owner of another, where the system permits it.
  static func copyAccess(from path: String, to new: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let descriptor = open(new, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Changing the owner may remove permissions, and so comes first.
    let hasOwner = fchown(descriptor, status.st_uid, status.st_gid) == 0
    // Without the group of the old file, the permissions of the group would be those of another.
    fchmod(descriptor, status.st_mode & (hasOwner ? 0o777 : 0o707))
  }
}
