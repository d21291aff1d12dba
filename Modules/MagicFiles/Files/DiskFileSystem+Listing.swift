import Foundation

extension DiskFileSystem {
  package func list(_ path: String) throws(FileError) -> [FileEntry] {
    let directory = try directory(path, .list)
    // The stream takes ownership of a descriptor and closes it, so it gets a duplicate.
    let copy = fcntl(directory.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw FileError(.list, path, number: errno) }
    guard let stream = fdopendir(copy) else {
      let number = errno
      close(copy)
      throw FileError(.list, path, number: number)
    }
    defer { closedir(stream) }
    var entries: [FileEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = name(of: entry)
      guard name != ".", name != ".." else { continue }
      entries.append(FileEntry(name: name, kind: kind(of: entry, named: name, in: directory)))
    }
    guard errno == 0 else { throw FileError(.list, path, number: errno) }
    return entries
  }

  // The memory of the entry is shorter than its type. Therefore the entry is not copied, and the
  // name is read in place.
  private func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry) + offset
    return String(cString: start.assumingMemoryBound(to: CChar.self))
  }

  private func kind(
    of entry: UnsafeMutablePointer<dirent>, named name: String, in directory: Descriptor
  ) -> FileEntry.Kind {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .directory
    case Int(DT_UNKNOWN): break
    default: return .other
    }
    // Some file systems do not provide the type of an entry.
    var status = stat()
    guard fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
    if status.isRegularFile { return .file }
    return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
  }
}
