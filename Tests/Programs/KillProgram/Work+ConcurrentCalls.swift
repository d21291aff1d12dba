import MagicData

extension Work {
  /// Chooses calls for concurrent tasks; each changes different rows.
  func nextConcurrentCalls() throws -> [TaskCall] {
    var calls: [TaskCall] = []
    var taken: Set<Int> = []
    for _ in 0..<random(2...6) {
      let envelopes = contents.letters.values.map(\.envelope).filter { !taken.contains($0) }
      guard random(0...2) > 0, let envelope = random(of: envelopes) else {
        calls.append(insertInTask())
        continue
      }
      taken.insert(envelope)
      let letters = contents.letters.filter { $0.value.envelope == envelope }.keys.sorted()
      if random(0...3) == 0 {
        calls.append(try removeInTask(envelope, letters))
      } else if let letter = random(of: letters) {
        calls.append(try replaceInTask(letter, in: envelope))
      }
    }
    return calls
  }

  private func insertInTask() -> TaskCall {
    let (number, envelope, version, photo) = (newNumber(), newNumber(), newNumber(), newNumber())
    let letter = Self.letter(number, version, envelope, photo)
    return TaskCall(
      changes: [
        .envelope(envelope, photo), .letter(number, .init(version: version, envelope: envelope)),
      ]
    ) { try await $0.update(letter) }
  }

  private func replaceInTask(_ number: Int, in envelope: Int) throws -> TaskCall {
    let version = newNumber()
    let letter = try store.object(of: Letter.self, primary: number)
    letter.setVersion(version, try asset(version))
    return TaskCall(changes: [.letter(number, .init(version: version, envelope: envelope))]) {
      try await $0.update(letter)
    }
  }

  private func removeInTask(_ number: Int, _ letters: [Int]) throws -> TaskCall {
    let envelope = try store.object(of: Envelope.self, primary: number)
    return TaskCall(changes: [.envelope(number, nil)] + letters.map { .letter($0, nil) }) {
      try await $0.remove(envelope)
    }
  }
}
