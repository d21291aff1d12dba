import MagicData
import Workloads

extension MagicEngine {
  func insertEntries(_ entries: [PlainEntry]) -> Job {
    let entries = entries.map(Entry.init)
    return { _ in
      try await magic.update(contentsOf: entries)
      return Checksum()
    }
  }
}
