import MagicData
import Workloads

extension MagicDataEngine {
  func insertEntries(_ entries: [PlainEntry]) -> Job {
    let entries = entries.map(Entry.init)
    return { _ in
      try await magic.update(contentsOf: entries)
      return Checksum()
    }
  }
}
