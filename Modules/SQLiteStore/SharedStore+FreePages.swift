import MagicEngine
import MagicSQLite
import SQLiteEngine
import SQLiteFiles

extension SharedStore {
  /// Returns free pages to the file system, in a separate transaction after a commit. An error is
  /// ignored: the commit is stored, and the pages are reused or returned later.
  ///
  /// - Parameters:
  ///   - writer: the connection of the commit, with no transaction open.
  ///   - mayWait: whether the thread may block for the disk and for readers.
  func returnFreePages(on writer: StoreConnection, _ mayWait: Bool) {
    guard let freePages, lifecycle.isUndamaged, !writer.connection.isInTransaction else { return }
    guard
      let isDone = try? writeWithoutWaiting(
        on: writer, mayWait: mayWait, { try freePages.returnPages(on: $0.store.connection) })
    else { return freePages.didFail() }
    if isDone { log?.afterReturningPages(on: writer.connection) }
  }

  /// Runs a write of the library that no call waits for, and that does not wait for other
  /// processes.
  private func writeWithoutWaiting<Result>(
    on writer: StoreConnection, mayWait: Bool, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let batch = CommitBatch(writer: writer) { try self.openTransaction(on: $0, timeout: 0) }
    let (result, transaction) = try batch.run(body)
    batch.add(transaction) { _ in }
    let ended = batch.commit()
    complete(ended, of: batch, mayWait: mayWait)
    if case .failed(let error) = ended.outcome { throw error }
    return result
  }
}
