// expected: 'missPrimary' is unavailable: catch MagicError, and compare its code with .missingPrimary
import Foundation
import MagicData

func update(_ magic: MagicData, _ person: Person) async throws {
  do { try await magic.update(person) } catch MagicError.missPrimary {}
}
