import MagicFiles
import SQLiteFiles

extension StoreFiles {
  /// - Parameter directory: the parent of the folder, for a database that is deleted when it is
  ///   closed; nil for others.
  convenience init(
    at path: String, _ options: MagicOptions, in directory: PrivateDirectory? = nil
  ) {
    guard let directory else {
      self.init(
        at: path, durability: options.fileDurability, makeFileSystem: options.makeFileSystem)
      return
    }
    self.init(
      at: path, durability: .none, makeFileSystem: options.makeFileSystem
    ) { [weak directory] () throws(FileError) in
      try directory?.make()
    }
  }
}
