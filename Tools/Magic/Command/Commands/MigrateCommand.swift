import ArgumentParser
import Foundation
import MagicData
import MagicDataTesting
import MagicInspection

/// `migrate` of a tool with types: changes the tables to the schema of the types.
struct MigrateCommand<Tool: MagicTool>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate", abstract: "Change the tables to the schema of the program's types.",
      discussion: """
        --plan shows the steps and changes nothing; it ends with 1 if a step is refused. --apply runs \
        them in one transaction. Steps that rewrite or delete rows need --backup or --no-backup.
        """)
  }

  enum Action: String, EnumerableFlag {
    case plan, apply

    static func help(for value: Action) -> ArgumentHelp? {
      switch value {
      case .plan: "Show the steps."
      case .apply: "Run the steps."
      }
    }
  }

  @OptionGroup var file: FileArgument
  @Flag(help: "What to do.") var action: Action = .plan
  @Option(help: "The path of a backup that is made first.", completion: .file())
  var backup: String?
  @Flag(help: "Rewrite and delete rows without a backup.") var noBackup = false
  @Flag(help: "Show the SQL of each step.") var sql = false
  @OptionGroup var format: JSONOption

  func run() async throws {
    let plan = try await file.opening(readOnly: true) {
      try await $0.migrationPlan(for: Tool.types)
    }
    guard action == .apply else {
      plan.write(format, showsSQL: sql)
      guard plan.refused.isEmpty else { throw ExitCode(ExitStatus.findings) }
      return
    }
    guard plan.refused.isEmpty else {
      plan.write(format, showsSQL: sql)
      throw CommandError(
        ExitStatus.findings, "The plan has steps that need a decision. Nothing was changed.")
    }
    let changesRows = (plan.kind ?? .additive) > .additive
    guard backup != nil || noBackup || !changesRows else {
      throw CommandError(
        ExitStatus.usage,
        "The plan rewrites or deletes rows. Name a backup with --backup, or use --no-backup.")
    }
    let progress = Progress("Migrating")
    defer { progress.finish() }
    let done = try await file.opening(readOnly: false) { magic in
      try await magic.migrate(Tool.types, backup: backup) { progress.show($0.fraction) }
    }
    progress.finish()
    done.write(format, showsSQL: sql)
  }
}

/// `record` of a tool with types: keeps a database for tests of migrations.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record a database as a fixture for tests of migrations.")

  @OptionGroup var file: FileArgument
  @Argument(help: "The path of the fixture, which must not exist.", completion: .file())
  var fixture: String

  func run() async throws {
    try await file.opening(readOnly: true) { magic in
      try await MagicMigrationFixture.record(magic, to: URL(fileURLWithPath: fixture))
    }
  }
}

/// `migrate` of `magic` itself, which has no types.
struct MigrateExplanation: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Explain how a tool with your types migrates a database.")

  @Argument(parsing: .captureForPassthrough, help: .hidden) var arguments: [String] = []

  func run() async throws {
    throw CommandError(
      ExitStatus.usage,
      """
      A migration needs the types of your program. Make a tool that has them:

        import MagicCommand

        @main struct Tool: MagicTool {
          static let types: [any MagicObject.Type] = [Person.self]
        }

      It has all commands of magic, and migrate --plan, migrate --apply and record.
      """)
  }
}
