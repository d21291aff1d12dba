import Foundation
import MagicFiles
import MagicRuntime
import MagicSchema

/// A new folder to which a database is exported, with the files of its assets. It gets its name when it is
/// complete and on disk.
final class NewFolder {
  let files: any FileSystem
  /// The folder before it has its name, relative to `files`, with "/" at its end.
  let partialPath: String
  private(set) var assets = FolderManifest.Assets(count: 0, bytes: 0)
  private let path: String
  private let name: String
  private let partial: String
  private var batches: Set<String> = []
  private var isPublished = false
  /// The directories above the folder that did not exist, the deepest first.
  private let createdParents: [String]
  private var lock: PartialExport?

  /// - Parameter makeFileSystem: creates the access to the files in a folder.
  /// - Throws: `MagicError`: `.fileExists` if there is something at the path, `.cannotOpen`,
  ///   `.readOnly`, `.diskFull`.
  init(
    path: String, on makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem
  ) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw MagicError(
        .cannotOpen, "The path of the export is empty, or contains a null character.")
    }
    let url = URL(fileURLWithPath: path)
    let parent = url.deletingLastPathComponent().path
    self.path = url.path
    name = url.lastPathComponent
    partial = PartialExport.prefix + UUID().uuidString
    let missing = MissingDirectories(at: parent)
    createdParents = missing.paths
    files = makeFileSystem(parent, .full)
    partialPath = partial + "/"
    try checkNothingExists()
    do {
      try missing.make(.full, on: makeFileSystem)
    } catch {
      removeCreatedParents()
      throw MagicError(
        .cannotOpen, "The directory of the export cannot be created.", cause: error)
    }
    PartialExport.removeRemains(in: parent)
    do {
      try writing { _ = try files.makeDirectory(partial) }
    } catch {
      removeCreatedParents()
      throw error
    }
    lock = PartialExport(locking: parent + "/" + partial)
  }

  /// Removes the directories that this export has created. Those in which there is something remain.
  private func removeCreatedParents() {
    for path in createdParents where rmdir(path) != 0 { return }
  }

  private func checkNothingExists() throws {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw MagicError(
        .fileExists,
        "Something already exists at the path of the export: \(path). Choose another path.")
    }
  }

  /// Stores an asset.
  func store(_ asset: AssetName, _ content: any ReadableFile) throws {
    let root = "\(partial)/\(FolderManifest.assets)"
    try writing {
      if batches.isEmpty { _ = try files.makeDirectory(root) }
      if batches.insert(asset.batch).inserted {
        _ = try files.makeDirectory("\(root)/\(asset.batch)")
      }
      let place = "\(root)/\(asset.text)"
      let file = try files.create(place)
      try content.forEachPiece { try file.write($0) }
      try file.close()
      try files.sync(place)
    }
    assets.count += 1
    assets.bytes += asset.size
  }

  /// Creates a file in the folder.
  func create(_ name: String) throws -> NewFile {
    let place = partialPath + name
    return NewFile(
      folder: self, path: place, file: try writing { try files.create(place) })
  }

  /// Writes everything to the disk, and gives the folder its name.
  func publish() throws {
    try writing {
      if !batches.isEmpty {
        let root = "\(partial)/\(FolderManifest.assets)"
        for batch in batches { try files.syncDirectory("\(root)/\(batch)") }
        try files.syncDirectory(root)
      }
      try files.syncDirectory(partial)
    }
    try checkNothingExists()
    try writing {
      // An empty folder that another program creates meanwhile is replaced; anything else is not.
      try files.rename(partial, to: name)
      isPublished = true
      try files.syncDirectory("")
    }
  }

  /// Removes the folder.
  func discard() {
    let current = isPublished ? name : partial
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: parent.appendingPathComponent(current))
    removeCreatedParents()
  }

  /// Ends the lock.
  func close() { lock = nil }

  /// Translates errors of files into errors about the export.
  func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      let (code, message): (MagicError.Code, String) =
        switch error.code {
        case .diskFull: (.diskFull, "The disk is full, and nothing was exported")
        case .denied, .readOnly: (.readOnly, "The directory of the export is not writable")
        case .notFound, .notAFile: (.cannotOpen, "The directory of the export does not exist")
        case .exists: (.fileExists, "Something already exists at the path of the export")
        default: (.inputOutput, "The file system reported an error, and nothing was exported")
        }
      throw MagicError(code, "\(message): \(error)", cause: error)
    }
  }
}
