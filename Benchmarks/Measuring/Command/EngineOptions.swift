public import ArgumentParser
public import Workloads

/// The options that select the compared engines.
public struct EngineOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .upToNextOption,
    help:
      "The engines to compare, by name, beside the one that ratios are to; all where none is named."
  )
  var engines: [String] = []

  /// All engines.
  public init() {}

  /// The first of all engines, followed by the named engines in their order.
  ///
  /// - Throws: An error if there is no engine with a name.
  public func chosen(of all: [any Engine.Type]) throws -> [any Engine.Type] {
    for name in engines where !all.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      let names = all.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw ValidationError("There is no engine \"\(name)\"; there are \(names).")
    }
    guard !engines.isEmpty else { return all }
    let named = all.dropFirst().filter { engine in
      engines.contains { $0.lowercased() == engine.name.lowercased() }
    }
    return all.prefix(1) + named
  }
}
