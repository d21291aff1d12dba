import Foundation

/// Malicious changes of the asset folder.
enum HostileFolder {
  private static let batch = "00000000000000ba"

  private static let names = [
    "", batch, batch + "/0000000000000001-3.png", batch + "/0000000000000002-3.png",
    batch + "/0000000000000004-7", batch + "/00000000000000ff-26", batch + "/0000000000000001~",
    batch + ".open", "hold", "00000000000000bb", "00000000000000bb.open",
    "00000000000000bb/0000000000000001-3.png", "other",
  ]

  /// Makes the changes of the folder that an input encodes, 16 at most.
  static func apply(_ input: inout ByteReader, to directory: RunDirectory) throws {
    var count = 0
    while !input.isAtEnd, count < 16 {
      let name = names[input.number(below: names.count)]
      let kind = input.number(below: 10)
      let path = directory.database + "-assets" + (name.isEmpty ? "" : "/" + name)
      count += 1
      // The folder itself may be a link, which is followed. Nothing is written to the target of a
      // link.
      if name.isEmpty, (3...6).contains(kind) { continue }
      let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard URL(fileURLWithPath: parent).resolvingSymlinksInPath().path == parent else { continue }
      put(kind, at: path, directory)
    }
    // The next open sweeps files that are marked as unreferenced.
    let raw = try RawDatabase(directory.database)
    for name in names where name.contains("/") && input.byte() & 1 == 1 {
      raw.run("INSERT OR REPLACE INTO magic_assets VALUES (?, -1)", [.text(name)])
    }
    raw.close()
  }

  private static func put(_ kind: Int, at path: String, _ directory: RunDirectory) {
    let files = FileManager.default
    if kind != 9 { try? files.removeItem(atPath: path) }
    switch kind {
    case 0: break
    case 1: try? files.createDirectory(atPath: path, withIntermediateDirectories: true)
    case 2: mkfifo(path, 0o600)
    case 3:
      try? files.createSymbolicLink(
        atPath: path, withDestinationPath: directory.path + "/outside")
    case 4: try? files.createSymbolicLink(atPath: path, withDestinationPath: directory.path)
    case 5: try? files.createSymbolicLink(atPath: path, withDestinationPath: path)
    case 6: try? files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case 7: _ = files.createFile(atPath: path, contents: Data())
    case 8: _ = files.createFile(atPath: path, contents: Data(RunDirectory.secret.dropLast()))
    default: try? files.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    }
  }
}
