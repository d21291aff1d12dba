import EngineConformance
import Foundation
import MagicAssets
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The directories of temporary databases whose processes were killed.
@Suite struct LeftDirectoriesTests {
  let scratch = Scratch()

  private var left: [String] { directories(in: scratch.path) }

  /// Ends a process that has a temporary database and one in memory, both with files.
  private func leaveDirectories() async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [place = scratch.path as String] in
      setenv("TMPDIR", place, 1)
      let stores = [try MagicObjectStore.open(.temporary), try MagicObjectStore.open(.memory)]
      for store in stores { try put("left", into: store) }
      try withExtendedLifetime(stores) {
        #expect(directories(in: place).count == 2)
        try #require(kill(getpid(), SIGKILL) == 0)
      }
    }
  }

  @Test func theNextProcessRemovesThemWhenItCreatesOne() async throws {
    await leaveDirectories()
    #expect(left.count == 2)
    try Data().write(to: URL(fileURLWithPath: scratch.file("MagicData-mine")))
    await #expect(processExitsWith: .success) { [place = scratch.path as String] in
      setenv("TMPDIR", place, 1)
      let store = try MagicObjectStore.open(.temporary)
      try put("new", into: store)
      #expect(directories(in: place).count == 1)
      store.close()
    }
    #expect(left == [])
    #expect(FileManager.default.fileExists(atPath: scratch.file("MagicData-mine")))
  }

  @Test func directoriesOfRunningProcessesAreKept() async throws {
    await leaveDirectories()
    await #expect(processExitsWith: .success) { [place = scratch.path as String] in
      let before = directories(in: place)
      setenv("TMPDIR", place + "/other", 1)
      let stores = [try MagicObjectStore.open(.temporary), try MagicObjectStore.open(.memory)]
      for store in stores { try put("x", into: store) }
      let own = directories(in: place + "/other")
      #expect(own.count == 2)
      PrivateDirectory.removeLeftovers(in: place + "/other")
      #expect(directories(in: place + "/other") == own)
      for store in stores { try put("y", into: store) }
      #expect(directories(in: place) == before)
      for store in stores { store.close() }
      #expect(directories(in: place + "/other") == [])
    }
  }

  @Test func aSymbolicLinkToAnotherDirectoryIsNotFollowed() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("kept"), withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.file("kept/file")))
    let link = scratch.file("MagicData-\(UUID().uuidString).private")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: scratch.file("kept"))
    PrivateDirectory.removeLeftovers(in: scratch.path)
    #expect(FileManager.default.contents(atPath: scratch.file("kept/file")) == Data("x".utf8))
  }
}

/// Saves an album and reads its file.
private func put(_ notes: String, into store: MagicObjectStore) throws {
  try store.update(Album("a", notes: notes))
  #expect(try store.allNotes() == [notes])
}

/// The private directories at a place.
private func directories(in place: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [])
    .filter { $0.hasPrefix("MagicData-") && $0.hasSuffix(".private") }.sorted()
}
