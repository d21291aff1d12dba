import DatabaseTransfer
import Foundation
import MagicData
import MagicExchange
import MagicFiles

/// Exports a database to a folder.
///
/// Only operations of the export are steps at which the program can kill itself.
package struct ExportWork {
  private let arguments: Arguments
  private let killSwitch: KillSwitch

  /// The path of the folder to which a database is exported.
  package static func folderPath(of path: String) -> String { path + ".export" }

  init(_ arguments: Arguments, _ killSwitch: KillSwitch) {
    (self.arguments, self.killSwitch) = (arguments, killSwitch)
  }

  func run() throws {
    let work = try Work(arguments, KillSwitch(at: nil, 0))
    for _ in 0..<work.random(4...16) { try work.stepSequentially() }
    try work.close()
    let folder = Self.folderPath(of: arguments.path)
    Message.copying.send()
    switch arguments.mode {
    case .namefirst: try exportNameFirst(to: folder)
    default: try export(to: folder)
    }
    Message.copied.send()
  }

  private func export(to path: String) throws {
    let source = MagicDatabaseLocation.file(arguments.path)
    let target = MagicDatabaseLocation(source: { try FolderSource(path: path) }) { [killSwitch] in
      try FolderTarget(path: path) { root, _ in
        SteppedFileSystem(
          base: DiskFileSystem(root: root, durability: .none), killSwitch: killSwitch)
      }
    }
    try waiting { [killSwitch] in
      _ = try await MagicData.copy(from: source, to: target) { _ in killSwitch.pass(.progress) }
    }
  }

  /// A flaw: gives the folder its final name before it has all its files.
  private func exportNameFirst(to path: String) throws {
    let (files, other) = (FileManager.default, "\(path)-\(UUID().uuidString)")
    try export(to: other)
    try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    for name in try files.contentsOfDirectory(atPath: other).sorted(by: >) {
      try files.moveItem(atPath: "\(other)/\(name)", toPath: "\(path)/\(name)")
      killSwitch.pass(.progress)
    }
  }
}
