import MagicFiles
import SQLiteFiles

extension StoreFiles {
  /// - Parameter directory: what is to be the folder of a database that is removed when it is closed;
  ///   nil for others.
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
