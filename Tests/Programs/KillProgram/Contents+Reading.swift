package import MagicAssets

extension Contents {
  /// Creates the contents from the objects that the store fetches.
  package init(reading store: MagicObjectStore) throws {
    for letter in try store.object(of: Letter.self) {
      letters[letter.number] = Row(
        version: letter.version, envelope: letter.envelope?.number ?? 0)
    }
    for envelope in try store.object(of: Envelope.self) {
      envelopes[envelope.number] = envelope.version
    }
  }
}
