import MagicData
import Workloads

extension MagicDataEngine {
  func openAndLookUp(_ people: [PlainPerson], times: Int) async throws -> Job {
    let path = directory + "/opened.sqlite3"
    let new = try await MagicData(path: path)
    try await new.update(contentsOf: people.map(Person.init))
    await new.close()
    return { run in
      var checksum = Checksum()
      for index in 0..<times {
        let start = run.begin()
        let magic = try await MagicData(path: path)
        let person = try await magic.object(
          of: Person.self, primary: people[index % people.count].id)
        checksum.add(person.age)
        await magic.close()
        run.end(start)
      }
      return checksum
    }
  }

  func lookUpFromMainActor(_ ids: [String]) -> Job {
    { @MainActor run in
      var checksum = Checksum()
      for id in ids {
        let start = run.begin()
        checksum.add(try await magic.object(of: Person.self, primary: id).age)
        run.end(start)
      }
      return checksum
    }
  }
}
