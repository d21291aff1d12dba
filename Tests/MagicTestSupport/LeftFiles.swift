package import Foundation

/// The files of a database that should not exist after it was opened and closed.
///
/// - Parameters:
///   - used: the names that rows refer to.
///   - known: the names in the table of files.
package func filesLeft(in folder: URL, used: Set<String>, known: some Sequence<String>) -> [String]
{
  let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
  return files.filter { name in
    var isDirectory: ObjCBool = false
    let path = folder.appendingPathComponent(name).path
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    return !isDirectory.boolValue && name != "hold" && !used.contains(name)
  }.map { "left in the folder: \($0)" }
    + known.filter { !used.contains($0) }.map { "left in magic_assets: \($0)" }
}
