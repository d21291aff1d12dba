import EngineConformance
import Dispatch
import MagicRelations
import MagicStore
import Testing

@Suite(.everyEngine) struct ConcurrencyTests {
  @Test func manyTasksSearchOneSet() async {
    let guests = (0..<500).map { Guest("\($0)") }
    let set = MagicalSet(distinct: guests)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<2_000 {
            let number = (step * 7 + task) % 1_000
            #expect(set.contains(Guest("\(number)")) == (number < 500))
          }
        }
      }
    }
  }

  @Test func tasksChangeCopiesOfOneSet() async {
    let set = MagicalSet(distinct: (0..<200).map { Guest("\($0)") })
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<50 {
            var copy = set
            let number = (step * 7 + task) % 200
            copy.remove(Guest("\(number)"))
            copy.insert(Guest("new \(task)"))
            #expect(!copy.contains(Guest("\(number)")))
            #expect(copy.contains(Guest("new \(task)")))
            #expect(set.contains(Guest("\(number)")))
          }
        }
      }
    }
    #expect(set.count == 200)
  }

  @Test func anElementThatIsSavedMeanwhileIsNeverMissed() throws {
    let store = try makeStore()
    let notes = (0..<400).map { Note("\($0)") }
    let set = MagicalSet(distinct: notes)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<notes.count {
        if thread == 0 {
          #expect(throws: Never.self) {
            try store.update(notes[step])
            if step % 50 == 0 { try store.remove(notes[step]) }
          }
        } else {
          #expect(set.contains(notes[step * thread % notes.count]))
        }
      }
    }
    for note in try store.object(of: Note.self) { #expect(set.contains(note)) }
  }

  @Test func anObjectThatIsSavedWhileItIsInsertedIsFound() throws {
    let store = try makeStore()
    let notes = (0..<400).map { Note("\($0)") }
    let sets = Results()
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread == 0 {
        #expect(throws: Never.self) { for note in notes { try store.update(note) } }
      } else {
        var set = MagicalSet<Note>()
        for note in notes {
          set.insert(note)
          #expect(!set.contains(Note()))
        }
        sets.add(set)
      }
    }
    let fetched = try store.object(of: Note.self)
    for set in sets.all { for note in fetched { #expect(set.contains(note)) } }
  }
}

private final class Results: @unchecked Sendable {
  private let queue = DispatchQueue(label: "results")
  private var sets: [MagicalSet<Note>] = []

  func add(_ set: MagicalSet<Note>) { queue.sync { sets.append(set) } }
  var all: [MagicalSet<Note>] { queue.sync { sets } }
}
