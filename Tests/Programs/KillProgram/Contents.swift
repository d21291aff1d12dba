/// The expected contents of a database, as the program and its parent record them.
package struct Contents: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    package let version: Int
    package let envelope: Int

    package init(version: Int, envelope: Int) {
      self.version = version
      self.envelope = envelope
    }
  }

  /// The letters by their numbers.
  package var letters: [Int: Row] = [:]
  /// The versions of the envelopes by their numbers.
  package var envelopes: [Int: Int] = [:]

  package init() {}

  /// The versions that have files.
  package var versions: Set<Int> {
    Set(letters.values.map(\.version)).union(envelopes.values).subtracting([0])
  }

  package mutating func apply(_ changes: [Change]) {
    for change in changes {
      switch change {
      case .letter(let number, let row): letters[number] = row
      case .envelope(let number, let version): envelopes[number] = version
      }
    }
  }

  package func applying(_ changes: [Change]) -> Contents {
    var contents = self
    contents.apply(changes)
    return contents
  }

  /// Describes how stored contents differ from these.
  package func difference(to stored: Contents) -> String {
    let lost = changes.subtracting(stored.changes).map(\.text).sorted()
    let extra = stored.changes.subtracting(changes).map(\.text).sorted()
    return "missing \(lost), not expected \(extra)"
  }

  private var changes: Set<Change> {
    Set(letters.map { .letter($0.key, $0.value) } + envelopes.map { .envelope($0.key, $0.value) })
  }
}

extension Contents.Row: Hashable {}
