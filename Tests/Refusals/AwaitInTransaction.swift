// expected: cannot pass function of type .* async|'async' call in a function that does not support concurrency|invalid conversion from 'async'
import MagicData

func rename(_ magic: MagicData, _ person: Person) async throws {
  try await magic.transaction { transaction in
    try await magic.update(person)
  }
}
