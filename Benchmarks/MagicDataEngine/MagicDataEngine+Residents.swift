import MagicData
import Workloads

extension MagicDataEngine {
  func insertResidents(_ people: [PlainPerson]) -> Job {
    let residents = people.map(Resident.init)
    return { _ in
      try await magic.update(contentsOf: residents)
      return Checksum()
    }
  }

  func filter(ages: [Int]) -> Job {
    { run in
      var checksum = Checksum()
      for age in ages {
        let start = run.begin()
        for person in try await magic.query(Resident.self).where(\.$age == age).all() {
          checksum.add(
            id: person.id, name: person.name, age: person.age, height: person.height,
            nickname: person.nickname, photo: person.photo)
        }
        run.end(start)
      }
      return checksum
    }
  }
}
