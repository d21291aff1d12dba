import MagicAssets

extension Work {
  /// The number of letters above which all are removed.
  private static let letterLimit = 40

  /// Chooses one of the possible calls at random.
  func nextCall() -> Call {
    guard contents.letters.count <= Self.letterLimit else { return removeAll() }
    guard let letter = random(of: contents.letters.keys),
      let envelope = random(of: contents.envelopes.keys)
    else { return insert() }
    return switch random(0...99) {
    case ..<25: insert()
    case ..<35: insertSeveral()
    case ..<47: replace(letter)
    case ..<50: replaceAfterRollback(letter)
    case ..<60: replaceBoth(letter)
    case ..<65: clear(letter)
    case ..<72: copy(letter)
    case ..<77: replace(letter, byScanOf: random(of: contents.letters.keys) ?? letter)
    case ..<86: removeWithLetters(envelope)
    case ..<92: remove(letter)
    case ..<95: compact()
    default: refuse(letter)
    }
  }

  /// Inserts a letter in a new envelope: two rows, two files.
  private func insert() -> Call {
    let (number, envelope, version, photo) = (newNumber(), newNumber(), newNumber(), newNumber())
    return Call(
      changes: [
        .envelope(envelope, photo), .letter(number, .init(version: version, envelope: envelope)),
      ]
    ) { [mode] store in
      let letter = Self.letter(number, version, envelope, photo)
      if mode == .twoTransactions, let envelope = letter.envelope { try store.update(envelope) }
      try store.update(letter)
    }
  }

  static func letter(
    _ number: Int, _ version: Int, _ envelope: Int, _ photo: Int
  ) -> Letter {
    let letter = Letter(number)
    letter.setVersion(version)
    let cover = Envelope(envelope)
    cover.setVersion(photo)
    letter.envelope = cover
    return letter
  }

  /// Inserts several letters in one transaction.
  private func insertSeveral() -> Call {
    let numbers = (0..<random(2...4)).map { _ in
      (newNumber(), newNumber(), newNumber(), newNumber())
    }
    let changes: [Change] = numbers.flatMap { number, version, envelope, photo in
      [
        Change.envelope(envelope, photo),
        .letter(number, .init(version: version, envelope: envelope)),
      ]
    }
    return Call(changes: changes) { store in
      try store.transaction { transaction in
        for (number, version, envelope, photo) in numbers {
          try transaction.update(Self.letter(number, version, envelope, photo))
        }
      }
    }
  }

  /// Replaces the scan.
  private func replace(_ number: Int) -> Call {
    let version = newNumber()
    return Call(changes: [.letter(number, .init(version: version, envelope: envelope(of: number)))])
    { [self] store in
      let letter = try store.object(of: Letter.self, primary: number)
      letter.setVersion(version, try asset(version))
      try store.update(letter)
    }
  }

  /// Replaces the scan by a streamed one; the first transaction is rolled back, and the second
  /// saves it.
  private func replaceAfterRollback(_ number: Int) -> Call {
    let version = newNumber()
    return Call(changes: [.letter(number, .init(version: version, envelope: envelope(of: number)))])
    { [self] store in
      let letter = try store.object(of: Letter.self, primary: number)
      letter.setVersion(version, try streamed(version))
      do {
        try store.transaction { transaction in
          try transaction.update(letter)
          throw Refused()
        }
      } catch is Refused {}
      try store.update(letter)
    }
  }

  /// Replaces the scan, and the photo of the envelope.
  private func replaceBoth(_ number: Int) -> Call {
    let (version, photo, envelope) = (newNumber(), newNumber(), envelope(of: number))
    return Call(
      changes: [
        .envelope(envelope, photo), .letter(number, .init(version: version, envelope: envelope)),
      ]
    ) { store in
      try store.transaction { transaction in
        let letter = try transaction.object(of: Letter.self, primary: number)
        letter.setVersion(version)
        letter.envelope?.setVersion(photo)
        try transaction.update(letter)
      }
    }
  }

  /// Removes the scan.
  private func clear(_ number: Int) -> Call {
    Call(changes: [.letter(number, .init(version: 0, envelope: envelope(of: number)))]) { store in
      let letter = try store.object(of: Letter.self, primary: number)
      letter.setVersion(0)
      try store.update(letter)
    }
  }

  /// Inserts a letter with the scan of another; both rows then refer to one file.
  private func copy(_ number: Int) -> Call {
    let copy = newNumber()
    return Call(changes: [.letter(copy, contents.letters[number])]) { store in
      let original = try store.object(of: Letter.self, primary: number)
      let letter = Letter(copy)
      letter.setVersion(original.version, original.scan)
      letter.envelope = original.envelope
      try store.update(letter)
    }
  }

  /// Replaces the scan of a letter by that of another.
  private func replace(_ number: Int, byScanOf other: Int) -> Call {
    let version = contents.letters[other]?.version ?? 0
    return Call(changes: [.letter(number, .init(version: version, envelope: envelope(of: number)))])
    { store in
      try store.transaction { transaction in
        let original = try transaction.object(of: Letter.self, primary: other)
        let letter = try transaction.object(of: Letter.self, primary: number)
        letter.setVersion(original.version, original.scan)
        try transaction.update(letter)
      }
    }
  }

  /// Removes an envelope; the delete rule removes its letters.
  private func removeWithLetters(_ envelope: Int) -> Call {
    let letters = contents.letters.filter { $0.value.envelope == envelope }.keys.sorted()
    return Call(changes: [.envelope(envelope, nil)] + letters.map { .letter($0, nil) }) { store in
      try store.remove(store.object(of: Envelope.self, primary: envelope))
    }
  }

  private func remove(_ number: Int) -> Call {
    Call(changes: [.letter(number, nil)]) { store in
      try store.remove(store.object(of: Letter.self, primary: number))
    }
  }

  private func removeAll() -> Call {
    Call(
      changes: contents.letters.keys.sorted().map { .letter($0, nil) }
        + contents.envelopes.keys.sorted().map { .envelope($0, nil) }
    ) { store in
      try store.removeAll(of: Envelope.self)
    }
  }

  /// Compacts the database; some of these calls write the entire file again.
  private func compact() -> Call {
    Call(changes: []) { try $0.compact() }
  }

  /// Makes a transaction that inserts, updates and removes, and then throws.
  private func refuse(_ number: Int) -> Call {
    let (other, version, envelope, photo) = (newNumber(), newNumber(), newNumber(), newNumber())
    return Call(changes: [], isRefused: true) { store in
      try store.transaction { transaction in
        let letter = try transaction.object(of: Letter.self, primary: number)
        letter.setVersion(version)
        try transaction.update(letter)
        try transaction.update(Self.letter(other, version, envelope, photo))
        try transaction.remove(letter)
        throw Refused()
      }
    }
  }

  private func envelope(of number: Int) -> Int { contents.letters[number]?.envelope ?? 0 }
}
