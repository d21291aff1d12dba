import DebianPackages

func read(_ text: String) -> [Result<Stanza, MalformedStanza>] { read([UInt8](text.utf8)) }

func read(_ bytes: [UInt8]) -> [Result<Stanza, MalformedStanza>] { Array(StanzaReader(bytes)) }

func stanzas(_ text: String) -> [Stanza] { read(text).compactMap { try? $0.get() } }

func problems(_ results: [Result<Stanza, MalformedStanza>]) -> [MalformedStanza] {
  results.compactMap { result in
    guard case .failure(let problem) = result else { return nil }
    return problem
  }
}
