import MagicData
import Workloads

extension MagicDataEngine {
  func rebuild() -> Job {
    { _ in
      try await magic.migrate(Changed.Person.self)
      return Checksum()
    }
  }

  func sumUpRebuilt() -> Job {
    { _ in
      var checksum = Checksum()
      let named = try await magic.query(Changed.Person.self).where(\.$name != nil).count()
      checksum.add(named)
      checksum.add(Int(try await magic.query(Changed.Person.self).sum(\.$age)))
      return checksum
    }
  }
}
