import Foundation
import MagicFiles
import MagicRuntime
import Testing

@Suite struct AssetConcurrencyTests {
  private final class Names: Locked, @unchecked Sendable {
    private var names: [AssetName: String] = [:]
    override init() { super.init() }

    func insert(_ name: AssetName, _ text: String) { withLock { names[name] = text } }
    var all: [AssetName: String] { withLock { names } }
  }

  @Test(.timeLimit(.minutes(5))) func manyThreadsStagePublishDiscardAndRemove() throws {
    let place = try Place()
    let folder = place.folder()
    let names = Names()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<400 {
        do {
          let text = "\(thread)-\(step)"
          let staged = try folder.stage(text, step.isMultiple(of: 3) ? "txt" : nil)
          switch step % 4 {
          case 0:
            folder.discard([staged])
          case 1:
            try folder.publish([staged])
            // Two removals of one process do not block each other.
            #expect(folder.remove([staged.name]) == [staged.name])
          default:
            try folder.publish([staged])
            names.insert(staged.name, text)
          }
          if step % 100 == 99 { _ = try folder.sweep() }
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    #expect(names.all.count == 8 * 200)
    #expect(try folder.names() == Set(names.all.keys))
    for (name, text) in names.all { #expect(try folder.text(of: name) == text) }
    for batch in try place.batches() { #expect(try place.names(in: batch).count <= 1_000) }
    folder.close()
    #expect(try place.marks() == [])
  }

  @Test(.timeLimit(.minutes(5))) func sessionsStartAndEndConcurrently() throws {
    let place = try Place()
    let names = Names()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<60 {
        do {
          let folder = place.folder()
          _ = try folder.sweep {
            names.all.keys.filter(Set($0).contains).reduce(into: []) { $0.insert($1) }
          }
          let staged = try folder.stage("\(thread)-\(step)")
          try folder.publish([staged])
          names.insert(staged.name, "\(thread)-\(step)")
          withExtendedLifetime(staged) {}
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    let folder = place.folder()
    #expect(try folder.names() == Set(names.all.keys))
    for (name, text) in names.all { #expect(try folder.text(of: name) == text) }
    // No session has a batch any more, and each batch is consistent.
    #expect(try folder.sweep(referenced: Set(names.all.keys)) == 0)
    #expect(try place.marks() == [])
  }
}
