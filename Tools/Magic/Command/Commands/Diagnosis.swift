import Foundation
import MagicInspection

/// Looks for what costs time or space in a database.
struct Diagnosis {
  let reader: InspectionReader
  let database: InspectedDatabase

  func advice() throws -> [Advice] {
    let sizes = try reader.sizes(within: .seconds(10))
    return database.problems.map { Advice(subject: "description", text: $0) }
      + (try IndexDiagnosis(reader: reader, database: database).advice(path: quotedPath))
      + (try freeSpace(sizes)) + log(sizes) + modes()
      + leftovers() + format()
  }

  private func freeSpace(_ sizes: InspectedSizes) throws -> [Advice] {
    let bytes = sizes.freePages * sizes.pageSize
    guard sizes.freePages * 4 > sizes.pages, bytes > 1 << 20 else { return [] }
    return [
      Advice(
        subject: "free space",
        text: "\(bytes.bytes) of \(sizes.file.bytes) in the file are free.",
        command: "magic compact \(quotedPath)")
    ]
  }

  private func log(_ sizes: InspectedSizes) -> [Advice] {
    guard sizes.log > 64 << 20 else { return [] }
    return [
      Advice(
        subject: "large log",
        text: "The write-ahead log has \(sizes.log.bytes). A program keeps a snapshot open, or was "
          + "killed. The log is emptied when the last program closes the database.")
    ]
  }

  private func modes() -> [Advice] {
    let readable = ["", "-wal", "-assets"].filter { suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: reader.path + suffix)
      return ((attributes?[.posixPermissions] as? Int) ?? 0) & 0o077 != 0
    }
    guard !readable.isEmpty else { return [] }
    let names = readable.map { quoted(reader.path + $0) }.joined(separator: " ")
    return [
      Advice(
        subject: "file modes", text: "Other users of this machine have access to the files.",
        command: "chmod -R go= \(names)")
    ]
  }

  /// Files that a restore or a backup has left which did not end.
  private func leftovers() -> [Advice] {
    let file = URL(fileURLWithPath: reader.path)
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path)
    let found = (names ?? []).filter { name in
      [".restored-", ".replaced-", ".partial-"].contains {
        name.hasPrefix(file.lastPathComponent + $0)
      }
    }
    guard !found.isEmpty else { return [] }
    return [
      Advice(
        subject: "leftover files",
        text:
          "A restore or backup has left files: \(found.sorted().map { line($0) }.joined(separator: ", ")). "
          + "Files with .replaced- are the former database and its assets: move them to their "
          + "names if a restore was interrupted, or delete them.")
    ]
  }

  private func format() -> [Advice] {
    guard let format = database.format, format < InspectedDatabase.newestFormat else { return [] }
    return [
      Advice(
        subject: "earlier format",
        text:
          "The file has format \(format), which does not describe the forms of its columns. The "
          + "first change of a table, and migrate, change it to format "
          + "\(InspectedDatabase.newestFormat).")
    ]
  }

  private func line(_ text: String) -> String { InspectedText.line(text) }

  private var quotedPath: String { quoted(reader.path) }

  /// The path for a shell.
  private func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-".utf8.contains(byte)
    }
    guard !isPlain else { return path }
    // A terminal would obey a control character, and show others in another order.
    guard InspectedText.line(path, limit: 10_000) == path else {
      // A shell leaves out the line breaks at the end of what a command prints.
      let end = path.utf8.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
      let bytes = path.utf8.dropLast(end).map(Self.printed)
      return "\"$(printf '" + bytes.joined() + "')\"" + String(repeating: "'\n'", count: end)
    }
    // By scalars: a quote with a combining mark is another character, and ends the text too.
    return "'" + path.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  /// A byte in the format of `printf`, in single quotes. All shells read octal numbers there.
  private static func printed(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "%"): return "%%"
    case UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "!"): break
    case 0x20...0x7E: return String(Unicode.Scalar(byte))
    default: break
    }
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
