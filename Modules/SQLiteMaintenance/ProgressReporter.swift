import Dispatch
import MagicEngine

/// Reports the progress of a backup: after every percent, and after every 100 ms.
struct ProgressReporter {
  private(set) var progress = MagicBackupProgress()
  private let report: (MagicBackupProgress) -> Void
  private var lastPercent = -1
  private var lastTime: UInt64 = 0

  init(_ report: @escaping (MagicBackupProgress) -> Void) { self.report = report }

  /// Sets the amounts to copy.
  mutating func begin(pages: Int, pageSize: Int, files: Int, bytes: Int) {
    progress = MagicBackupProgress()
    progress.pageCount = pages
    progress.fileCount = files
    progress.byteCount = pages * pageSize + bytes
    reportNow()
  }

  mutating func didCopy(pages: Int, of size: Int) {
    progress.bytesDone += (pages - progress.pagesDone) * size
    progress.pagesDone = pages
    reportIfDue()
  }

  mutating func didCopy(bytes: Int) {
    progress.bytesDone += bytes
    reportIfDue()
  }

  mutating func didEndFile() {
    progress.filesDone += 1
    reportIfDue()
  }

  /// The backup is complete.
  mutating func end() {
    progress.bytesDone = progress.byteCount
    reportNow()
  }

  private mutating func reportIfDue() {
    let isDue = DispatchTime.now().uptimeNanoseconds - lastTime >= 100_000_000
    if isDue || Int(progress.fraction * 100) > lastPercent { reportNow() }
  }

  private mutating func reportNow() {
    lastPercent = Int(progress.fraction * 100)
    lastTime = DispatchTime.now().uptimeNanoseconds
    report(progress)
  }
}
