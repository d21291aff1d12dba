import Foundation
import MagicFiles
import MagicRuntime
import MagicSchema

/// The place of a copy: it is written under another name, and gets its own when it is whole and on
/// the disk. The database's own name comes last.
final class BackupTarget {
  let directory: any FileSystem
  /// The path of the copy as long as it is not whole.
  let partialPath: String
  private let path: String
  private let name: String
  private let partial: String
  private var hasAssets = false
  private var hasMovedAssets = false
  private var isPublished = false
  private let origin = ProcessOrigin()

  /// Takes a place where nothing lies.
  ///
  /// - Throws: `MagicError`: `.fileExists`, `.cannotOpen`, `.readOnly`.
  init(_ path: String, of files: StoreFiles) throws {
    self.path = try DatabaseFile(path: path).path
    partialPath = self.path + ".partial-" + UUID().uuidString.prefix(8).lowercased()
    let url = URL(fileURLWithPath: self.path)
    name = url.lastPathComponent
    partial = URL(fileURLWithPath: partialPath).lastPathComponent
    let parent = url.deletingLastPathComponent()
    directory = files.makeFileSystem(parent.path, .full)
    try refuseOwnFiles(of: files.folder)
    try refuseExisting()
    do {
      try MissingDirectories(at: parent.path).make(.full, on: files.makeFileSystem)
    } catch {
      throw MagicError(.cannotOpen, "The directory of the copy cannot be made.", cause: error)
    }
    try writing { try directory.create(partial).close() }
  }

  private func refuseOwnFiles(of folder: AssetFolder) throws {
    let database =
      folder.path.hasSuffix(StoreFiles.suffix)
      ? String(folder.path.dropLast(StoreFiles.suffix.utf8.count)) : folder.path
    let isOwn =
      Self.companions.contains { path == database + $0 } || path.hasPrefix(folder.path + "/")
    guard !isOwn else {
      throw MagicError(.cannotOpen, "The path of the copy is one of the database's own files.")
    }
  }

  // What lies beside the copy would be taken for a part of it.
  private func refuseExisting() throws {
    for companion in [""] + Self.companions {
      var status = stat()
      guard lstat(path + companion, &status) != 0 else {
        throw MagicError(
          .fileExists, "A copy replaces nothing: there is a file already (\(path + companion)).")
      }
    }
  }

  private static let companions = ["-wal", "-shm", "-journal", StoreFiles.suffix]

  private var partialAssets: String { partial + StoreFiles.suffix }

  /// The path of an asset's file in ``directory``.
  func path(of name: AssetName) -> String { "\(partialAssets)/\(name.text)" }

  /// Makes the directory of a batch, and that of all batches before.
  func makeBatch(_ batch: String) throws {
    try writing {
      if !hasAssets { _ = try directory.makeDirectory(partialAssets) }
      hasAssets = true
      _ = try directory.makeDirectory("\(partialAssets)/\(batch)")
    }
  }

  /// Gives a copy that is complete its name. Where it throws, ``discard()`` follows.
  func publish(batches: Set<String>) throws {
    try writing {
      for batch in batches { try directory.syncDirectory("\(partialAssets)/\(batch)") }
      if hasAssets { try directory.syncDirectory(partialAssets) }
      try directory.sync(partial)
      if hasAssets {
        try directory.rename(partialAssets, to: name + StoreFiles.suffix)
        hasMovedAssets = true
      }
      try directory.syncDirectory("")
    }
    try giveName()
    isPublished = true
    try writing { try directory.syncDirectory("") }
  }

  // A second name replaces nothing, as a renaming would.
  private func giveName() throws {
    guard link(partialPath, path) != 0 else {
      unlink(partialPath)
      return
    }
    let number = errno
    guard number != EEXIST else {
      try refuseExisting()
      throw MagicError(.fileExists, "A copy replaces nothing: there was a file already (\(path)).")
    }
    // Some file systems know no second names.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(number) else {
      throw Self.failure(FileError(.rename, name, number: number))
    }
    var status = stat()
    if lstat(path, &status) == 0 { try refuseExisting() }
    try writing { try directory.rename(partial, to: name) }
  }

  /// Removes what was written.
  func discard() {
    guard !origin.isForked else { return }
    if isPublished { unlink(path) }
    unlink(partialPath)
    unlink(partialPath + "-journal")
    let assets = (hasMovedAssets ? path : partialPath) + StoreFiles.suffix
    if hasAssets { try? FileManager.default.removeItem(atPath: assets) }
  }

  /// Runs the body, turning failures of files into errors about the copy.
  func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: FileError) -> MagicError {
    let (code, message): (MagicError.Code, String) =
      switch error.code {
      case .diskFull: (.diskFull, "The disk is full, and there is no copy")
      case .denied, .readOnly: (.readOnly, "The directory of the copy may not be written")
      case .notFound, .notAFile: (.cannotOpen, "The directory of the copy is not there")
      case .exists: (.fileExists, "A copy replaces nothing")
      default: (.inputOutput, "The file system failed, and there is no copy")
      }
    return MagicError(code, "\(message): \(error)", cause: error)
  }
}
