import MagicAssets

extension Work {
  /// Above so many letters, all are removed.
  private static let letterLimit = 40

  /// Chooses a call by chance among those that are possible.
  func nextCall() -> Call {
    guard contents.letters.count <= Self.letterLimit else { return removeAll() }
    guard let letter = random(of: contents.letters.keys),
      let envelope = random(of: contents.envelopes.keys)
    else { return insert() }
    return switch random(0...99) {
    case ..<25: insert()
    case ..<35: insertSeveral()
    case ..<47: replace(letter)
    case ..<50: replaceInVain(letter)
    case ..<60: replaceBoth(letter)
    case ..<65: clear(letter)
    case ..<72: copy(letter)
    case ..<77: take(letter, from: random(of: contents.letters.keys) ?? letter)
    case ..<86: removeWithLetters(envelope)
    case ..<92: remove(letter)
    default: refuse(letter)
    }
  }

  /// A letter in a new envelope: two rows, two files.
  private func insert() -> Call {
    let (number, envelope, version, photo) = (newNumber(), newNumber(), newNumber(), newNumber())
    return Call(
      changes: [
        .envelope(envelope, photo), .letter(number, .init(version: version, envelope: envelope)),
      ]
    ) { [mode] store in
      let letter = Self.letter(number, version, envelope, photo)
      if mode == .halves, let envelope = letter.envelope { try store.update(envelope) }
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

  /// Several letters in one transaction.
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

  /// Another scan.
  private func replace(_ number: Int) -> Call {
    let version = newNumber()
    return Call(changes: [.letter(number, .init(version: version, envelope: envelope(of: number)))])
    { [self] store in
      let letter = try store.object(of: Letter.self, primary: number)
      letter.setVersion(version, try asset(version))
      try store.update(letter)
    }
  }

  /// A streamed scan, saved when a first transaction was taken back.
  private func replaceInVain(_ number: Int) -> Call {
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

  /// Another scan, and another photo of the envelope.
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

  /// No scan any more.
  private func clear(_ number: Int) -> Call {
    Call(changes: [.letter(number, .init(version: 0, envelope: envelope(of: number)))]) { store in
      let letter = try store.object(of: Letter.self, primary: number)
      letter.setVersion(0)
      try store.update(letter)
    }
  }

  /// A new letter with the scan of another, which lies in one file then.
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

  /// A letter gets the scan of another in the place of its own.
  private func take(_ number: Int, from other: Int) -> Call {
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

  /// An envelope goes, and its letters by the rule of their relationship.
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

  /// A transaction that writes, replaces and removes, and throws then.
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
