import MagicData
import Workloads

extension MagicEngine {
  func lookUp(_ ids: [String], tasks: Int, beside people: [PlainPerson]) -> Job {
    { _ in
      let writing = Task {
        for person in people.map(Person.init) where !Task.isCancelled {
          try await magic.update(person)
        }
      }
      let checksum = try await withThrowingTaskGroup(of: Checksum.self) { group in
        for task in 0..<tasks {
          group.addTask {
            var checksum = Checksum()
            for index in stride(from: task, to: ids.count, by: tasks) {
              checksum.add(try await magic.object(of: Person.self, primary: ids[index]).age)
            }
            return checksum
          }
        }
        var sum = Checksum()
        for try await checksum in group { sum.add(checksum) }
        return sum
      }
      writing.cancel()
      _ = await writing.result
      return checksum
    }
  }
}
