import EngineConformance
import Foundation
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

#if os(Linux)
  /// Files and directories without write permission. Root may write everything, so the body of such
  /// a test runs on a thread with the file permissions of an unprivileged user.
  @Suite struct PermissionTests {
    let scratch = Scratch()

    init() throws {
      try scratch.using { store throws in
        try store.update(contentsOf: (0..<10).map { Note("\($0)") })
      }
    }

    @Test func aReadOnlyFileIsReadButNotWritten() throws {
      try protect(file: 0o444, directory: 0o777)
      let before = try bytes()
      try asUnprivilegedUser {
        let error = #expect(throws: MagicError.self) {
          let store = try scratch.open()
          defer { store.close() }
          try store.update(Note("new"))
        }
        #expect(error?.code == .readOnly)
        try scratch.using(MagicOptions(readOnly: true)) { store throws in
          #expect(try store.object(of: Note.self).count == 10)
        }
      }
      #expect(try bytes() == before)
    }

    @Test func aDatabaseInAReadOnlyDirectoryIsReadWithoutSideFiles() throws {
      try protect(file: 0o444, directory: 0o555)
      let before = scratch.contents
      try asUnprivilegedUser {
        try scratch.using(MagicOptions(readOnly: true)) { store throws in
          #expect(try store.object(of: Note.self).count == 10)
          let error = #expect(throws: MagicError.self) { try store.update(Note("new")) }
          #expect(error?.code == .readOnly)
        }
        let error = #expect(throws: MagicError.self) { try scratch.open().close() }
        #expect([.readOnly, .cannotOpen].contains(error?.code))
      }
      #expect(scratch.contents == before)
    }

    @Test func aFileWithoutReadPermissionIsRefused() throws {
      try protect(file: 0o000, directory: 0o777)
      try asUnprivilegedUser {
        for readOnly in [false, true] {
          let error = #expect(throws: MagicError.self) {
            try scratch.open(MagicOptions(readOnly: readOnly)).close()
          }
          #expect(error?.code == .cannotOpen)
        }
      }
    }

    @Test func noDatabaseIsCreatedInADirectoryWithoutWritePermission() throws {
      try protect(file: 0o444, directory: 0o555)
      try asUnprivilegedUser {
        for path in ["new.sqlite3", "directory/new.sqlite3"] {
          let error = #expect(throws: MagicError.self) {
            try MagicObjectStore.open(.file(scratch.file(path)))
          }
          #expect(error?.code == .cannotOpen)
        }
      }
      #expect(scratch.contents.keys.sorted() == ["test.sqlite3"])
    }

    private func bytes() throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: scratch.file()))
    }

    private func protect(file: Int, directory: Int) throws {
      let manager = FileManager.default
      try manager.setAttributes([.posixPermissions: file], ofItemAtPath: scratch.file())
      try manager.setAttributes([.posixPermissions: directory], ofItemAtPath: scratch.path)
    }

    /// Runs the body on its own thread. If this process is root, the thread has the rights of an
    /// unprivileged user.
    private func asUnprivilegedUser(_ body: @escaping () throws -> Void) throws {
      typealias SetRights = @convention(c) (UInt32) -> Int32
      let symbol = try #require(dlsym(nil, "setfsuid"))
      let setRights = unsafeBitCast(symbol, to: SetRights.self)
      nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
      nonisolated(unsafe) let work = body
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = setRights(65_534)
        result = Result { try work() }
        _ = setRights(geteuid())
        isDone.signal()
      }
      isDone.wait()
      try result.get()
    }
  }
#endif
