import CAllocations
import Counting
import Foundation
import MagicDataEngine
import Workloads

/// Counts the costs of subjects in this process.
@available(macOS 15, *)
struct Tally: Sendable {
  let subjects: [Subject]
  let runs: Int

  func trials() throws -> [Trial] {
    try OneThread.run {
      var trials: [Trial] = []
      for subject in subjects { trials += try await self.trials(of: subject) }
      return trials
    }
  }

  private func trials(of subject: Subject) async throws -> [Trial] {
    switch subject.source {
    case .observers(let kind, let saves):
      let few = try await part(of: kind, saves: saves)
      let many = try await part(of: kind, saves: 3 * saves)
      return [Trial(subject: subject.name, engine: MagicDataEngine.name, few: few, many: many)]
    case .workload(let workload, let people):
      return try await trials(of: subject, workload, people: people)
    }
  }

  private func trials(
    of subject: Subject, _ workload: Workload, people: Int
  ) async throws -> [Trial] {
    let (few, many) = workload.halves(people: people)
    var trials: [Trial] = []
    var sums: [Checksum] = []
    for engine in Subject.engines {
      let (few, fewSum) = try await part(of: few, workload, engine, subject)
      let (many, manySum) = try await part(of: many, workload, engine, subject)
      trials.append(Trial(subject: subject.name, engine: engine.name, few: few, many: many))
      if sums.isEmpty { sums = [fewSum, manySum] }
      guard sums == [fewSum, manySum] else { throw Disagreement(subject: subject.name) }
    }
    return trials
  }

  private func part(
    of steps: Workload.Steps, _ workload: Workload, _ engine: any Engine.Type, _ subject: Subject
  ) async throws -> (Trial.Part, Checksum) {
    let stage = Stage(engine: engine, start: workload.start, steps: steps)
    guard let result = try await stage.part(runs: runs, isWeighed: subject.isWeighed) else {
      throw MissingJob(subject: subject.name, engine: engine.name)
    }
    return result
  }

  private func part(of kind: Observers.Kind, saves: Int) async throws -> Trial.Part {
    var part = Trial.Part(operations: saves)
    for _ in 0..<runs {
      let saving = try ObservedSaves(kind)
      defer { saving.close() }
      try saving.save(20)
      part.readings.append(try await Stage.reading { try saving.save(saves) })
    }
    return part
  }

  /// An error for engines that fetched different values: at least one of them is wrong.
  struct Disagreement: Error, CustomStringConvertible {
    let subject: String
    var description: String { "\(subject): the engines read different values" }
  }

  struct MissingJob: Error, CustomStringConvertible {
    let subject: String
    let engine: String
    var description: String { "\(subject): \(engine) has nothing for it" }
  }
}
