import Foundation
import MagicData
import Testing

struct Passage: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue(.searchable) var text: String
  @OptionMagicValue var embedding: MagicVector?
  @MagicValue var language: String = "en"

  init() {}
}

/// The same without a primary.
private enum WithoutPrimary {
  struct Passage: MagicObject {
    @MagicValue(.searchable) var text: String
    @OptionMagicValue var embedding: MagicVector?

    init() {}
  }
}

/// The examples of vectors.
@Suite struct DocumentedVectors {
  private let vector: MagicVector = [1, 0]

  private func database() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    for (text, embedding) in [
      ("The disk is full", [0, 1] as MagicVector), ("No space is left", [1, 0.5]),
      ("Cats", [-1, 0]),
    ] {
      let passage = Passage()
      (passage.text, passage.embedding) = (text, embedding)
      try await magic.update(passage)
    }
    return magic
  }

  @Test func theNearestAreFound() async throws {
    let magic = try await database()

    let nearest = try await magic.query(Passage.self)
      .where(\.$language == "en")
      .order(nearest: .distance(\.$embedding, to: vector, .cosine))
      .limit(10)
      .all()

    #expect(nearest.map(\.text) == ["No space is left", "The disk is full", "Cats"])

    let distances = try await magic.query(Passage.self)
      .where { $0.$embedding.distance(to: vector, .cosine) < 0.4 }
      .select { ($0.$text, $0.$embedding.distance(to: vector, .cosine)) }
      .all()

    #expect(distances.map(\.0) == ["No space is left"])
    await magic.close()
  }

  @Test func theNearestOfAllAreFound() async throws {
    let magic = try await database()

    let nearest = try await magic.query(Passage.self)
      .order(nearest: .distance(\.$embedding, to: vector, .cosine))
      .limit(10)
      .all()
    let near = try await magic.query(Passage.self)
      .where { $0.$embedding.distance(to: vector, .cosine) < 0.4 }
      .all()
    let hits = try await magic.query(Passage.self)
      .matching("disk full")
      .limit(10)
      .hits(fusedWith: .distance(\.$embedding, to: vector, .cosine))

    #expect(nearest.count == 3)
    #expect(near.count == 1)
    #expect(hits.count == 3)
    await magic.close()
  }

  @Test func wordsAndVectorsAreCombined() async throws {
    let magic = try await database()

    let hits = try await magic.query(Passage.self)
      .matching("disk full")
      .where(\.$language == "en")
      .limit(10)
      .hits(fusedWith: .distance(\.$embedding, to: vector, .cosine))

    #expect(hits.map(\.object.text) == ["The disk is full", "No space is left", "Cats"])
    await magic.close()
  }
}
