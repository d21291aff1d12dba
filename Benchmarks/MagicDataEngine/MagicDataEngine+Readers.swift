import MagicData
import Workloads

extension MagicDataEngine {
  func lookUp(_ ids: [String], tasks: Int, beside people: [PlainPerson]) -> Job {
    { _ in
      // A new object each time, because a save writes only changed values of an existing object.
      let writer = Writer(people) { try await magic.update(Person($0)) }
      return try await writer.beside {
        try await withThrowingTaskGroup(of: Checksum.self) { group in
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
      }
    }
  }
}
