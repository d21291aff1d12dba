import Foundation
import MagicFiles
import MagicTestSupport
import Testing

/// A session that ends after each of its operations in turn, and the state that the next one finds.
@Suite struct CrashTests {
  /// The rows of a database: the referenced files, and the files that are still to be removed.
  private final class Rows {
    var referenced: [AssetName: String] = [:]
    var unreferenced: Set<AssetName> = []
  }

  @Test func afterEachStepASweepKeepsReferencedFiles() throws {
    var count = 0
    while true {
      let place = try Place()
      let rows = Rows()
      let ended = try runSession(in: place, rows, stoppingAfter: count)
      try checkNextSession(in: place, rows, "after \(count) operations")
      if ended { break }
      count += 1
    }
    #expect(count > 40)
  }

  @Test func aSecondSessionIsAsSafeAsTheFirst() throws {
    var count = 0
    while true {
      let place = try Place()
      let rows = Rows()
      #expect(try runSession(in: place, rows, stoppingAfter: nil))
      let ended = try runSession(in: place, rows, stoppingAfter: count)
      try checkNextSession(in: place, rows, "after \(count) operations")
      if ended { break }
      count += 1
    }
    #expect(count > 40)
  }

  /// - Returns: whether the session ran to its end.
  private func runSession(in place: Place, _ rows: Rows, stoppingAfter count: Int?) throws -> Bool {
    let files = place.faulty()
    if let count { files.stop(after: count) }
    let folder = place.folder(files)
    do {
      try runSteps(folder, files, rows)
    } catch let error as FileError {
      #expect(error.number == EIO, "\(error)")
      return false
    }
    folder.close()
    return count.map { files.count() <= $0 } ?? true
  }

  private func runSteps(_ folder: AssetFolder, _ files: FaultyFileSystem, _ rows: Rows) throws {
    // A commit is an operation as well: the session may end right before it.
    func commit(_ staged: [StagedFile], removing unreferenced: [AssetName] = []) throws {
      try folder.publish(staged)
      _ = try files.list("")
      for file in staged { rows.referenced[file.name] = String(file.name.size) }
      for name in unreferenced { rows.referenced[name] = nil }
      rows.unreferenced.formUnion(unreferenced)
    }
    try commit([folder.stage("a"), folder.stage("bb", "txt")])
    let replaced = try folder.stage("ccc")
    try commit([replaced])
    // A transaction that is rolled back, before and after its files were published.
    folder.discard([try folder.stage("dddd")])
    let failed = try folder.stage("eeeee")
    try folder.publish([failed])
    folder.discard([failed])
    // A new value, and the old one is removed.
    try commit([folder.stage("ffffff")], removing: [replaced.name])
    let removed = folder.remove([replaced.name])
    try folder.syncRemoval(of: removed)
    _ = try files.list("")
    rows.unreferenced.subtract(removed)
    // A stream.
    let sink = try folder.beginStaging(pathExtension: nil)
    try sink.write(Data("ggg".utf8))
    try sink.write(Data("gggg".utf8))
    try commit([sink.finish()])
  }

  private func checkNextSession(
    in place: Place, _ rows: Rows, _ when: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = place.folder()
    let removed = folder.remove(Array(rows.unreferenced))
    #expect(Set(removed) == rows.unreferenced, when, sourceLocation: sourceLocation)
    _ = try folder.sweep(referenced: Set(rows.referenced.keys))
    #expect(try folder.names() == Set(rows.referenced.keys), when, sourceLocation: sourceLocation)
    #expect(
      try folder.paths() == rows.referenced.keys.map(\.text).sorted(), when,
      sourceLocation: sourceLocation)
    for name in rows.referenced.keys {
      #expect(
        try folder.text(of: name).utf8.count == name.size, when, sourceLocation: sourceLocation)
    }
    if place.exists("") {
      #expect(try place.marks() == [], when, sourceLocation: sourceLocation)
    }
  }
}
