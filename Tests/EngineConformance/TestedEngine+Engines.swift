import Foundation
import MagicData
import MagicStore
import MemoryEngine
import SQLiteStore

extension TestedEngine {
  /// The engines that `.everyEngine` runs a test on.
  public static let all: [TestedEngine] = [
    sqlite, memory,
  ]

  /// ``all``, or the engine that the environment variable `MAGIC_ENGINE` names: one of them, or
  /// ``postgres``, which needs a server.
  public static let chosen: [TestedEngine] = {
    guard let name = ProcessInfo.processInfo.environment["MAGIC_ENGINE"], !name.isEmpty else {
      return all
    }
    return (all + [postgres]).filter { $0.name == name }
  }()

  /// The library's own engine, which has every feature.
  public static let sqlite = TestedEngine(
    name: "sqlite",
    features: [
      .files, .reopening, .dialect, .rawSQL, .statements, .assets, .migration, .maintenance,
      .queries, .combinations, .singleRuns, .widePercentiles, .regions, .sharedHandles,
      .longNames, .collations,
    ],
    openMagicData: { location, options in
      switch location {
      case .file(let path): try await MagicData(path: path, options: options)
      case .temporary: try await MagicData(type: .temporary, options: options)
      case .memory: try await MagicData(type: .memory, options: options)
      }
    },
    openObjectStore: { location, options in
      try MagicObjectStore.open(location, options: options)
    })

  /// The engine in memory, which implements the contract without optional features except queries.
  public static let memory = TestedEngine(
    name: "memory",
    features: [.queries, .combinations, .singleRuns, .widePercentiles, .regions, .longNames],
    openMagicData: { _, options in
      try refuse(readOnly: options.readOnly)
      return MagicData(MemoryDatabase(diagnostics: options.diagnostics, trace: options.trace))
    },
    openObjectStore: { _, options in
      try refuse(readOnly: options.readOnly)
      return MagicObjectStore(
        MemoryDatabase(diagnostics: options.diagnostics, trace: options.trace))
    })

  /// Refuses to open a new database read-only, because it has no contents.
  private static func refuse(readOnly: Bool) throws {
    guard readOnly else { return }
    throw MagicError(.invalidOption, "A new database cannot be read-only.")
  }
}
