import Testing

@testable import MagicSQLite
@testable import SQLiteEngine

/// What the row cache knows about the commits of its process.
@Suite struct RecentCommitTests {
  /// SQLITE_UPDATE.
  private let updateOperation: Int32 = 23

  /// A header of the log's index.
  private func header(commit: UInt32, frames: UInt32) throws -> LogHeader {
    var bytes = [UInt8](repeating: 0, count: 104)
    bytes.withUnsafeMutableBytes { bytes in
      for copy in [0, 48] {
        bytes.storeBytes(of: 3_007_000, toByteOffset: copy, as: UInt32.self)
        bytes.storeBytes(of: commit, toByteOffset: copy + 8, as: UInt32.self)
        bytes.storeBytes(of: 1, toByteOffset: copy + 12, as: UInt8.self)
        bytes.storeBytes(of: frames, toByteOffset: copy + 16, as: UInt32.self)
      }
    }
    return try bytes.withUnsafeBytes { bytes in
      let start = try #require(bytes.baseAddress)
      return try #require(LogHeader(start))
    }
  }

  /// Runs a transaction that changes rows, and returns the numbers of the changes that are known.
  private func commit(
    _ commits: inout RecentCommits, changing rowIDs: [Int64], isWritten: Bool = true,
    from before: LogHeader, to after: LogHeader?
  ) -> [UInt64] {
    let rows = ChangedRows()
    rows.begin()
    commits.willWrite(before)
    let number = commits.number
    for rowID in rowIDs { rows.note(updateOperation, "ticket", rowID) }
    if isWritten { rows.noteCommit() }
    rows.end()
    commits.didCommit(after, rows)
    var found: [UInt64] = []
    commits.forEachChange(after: number) { commit, _ in found.append(commit) }
    return found
  }

  @Test func theRowsOfAnOwnCommitAreKnown() throws {
    var commits = RecentCommits()
    let (first, second) = (try header(commit: 5, frames: 9), try header(commit: 6, frames: 11))
    #expect(commit(&commits, changing: [3, 4], from: first, to: second) == [2, 2])
    #expect(commits.header == second)
    #expect(commits.number == 2 && commits.unknownUpTo == 1)
  }

  @Test func aTransactionThatWritesNothingTakesNoCommitForItsOwn() throws {
    var commits = RecentCommits()
    let (first, second) = (try header(commit: 5, frames: 9), try header(commit: 6, frames: 11))
    #expect(
      commit(&commits, changing: [], isWritten: false, from: first, to: second) == [])
    // The next read finds the other header.
    #expect(commits.header == first)
    #expect(!commits.isWriting)
  }

  @Test func aCommitOfAnotherConnectionAfterAnOwnOneMakesAllRowsInvalid() throws {
    var commits = RecentCommits()
    let (first, third) = (try header(commit: 5, frames: 9), try header(commit: 7, frames: 20))
    #expect(commit(&commits, changing: [3], from: first, to: third) == [])
    #expect(commits.header == third)
    #expect(commits.unknownUpTo == commits.number)
  }

  @Test func onlyTheLastChangesAreKept() throws {
    var commits = RecentCommits()
    var last = try header(commit: 0, frames: 1)
    for number in 1...10 {
      let next = try header(commit: UInt32(number), frames: 1)
      _ = commit(&commits, changing: Array(1...1_000), from: last, to: next)
      last = next
    }
    var count = 0
    commits.forEachChange(after: 0) { _, _ in count += 1 }
    #expect(count >= 2_048 && count <= 4_096)
    #expect(commits.unknownUpTo > 1)
  }

  @Test func moreThanAThousandChangedRowsAreNotRecorded() throws {
    var commits = RecentCommits()
    let (first, second) = (try header(commit: 5, frames: 9), try header(commit: 6, frames: 11))
    #expect(commit(&commits, changing: Array(0...1_024), from: first, to: second) == [])
    #expect(commits.unknownUpTo == commits.number)
  }
}
