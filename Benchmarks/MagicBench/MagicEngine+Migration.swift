import MagicData

extension MagicEngine {
  func rebuild() async throws { try await magic.migrate(Changed.Person.self) }

  func sumUpRebuilt() async throws -> Checksum {
    var checksum = Checksum()
    let named = try await magic.query(Changed.Person.self).where(\.$name != nil).count()
    checksum.add(named)
    checksum.add(Int(try await magic.query(Changed.Person.self).sum(\.$age)))
    return checksum
  }
}
