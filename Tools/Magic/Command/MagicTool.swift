import ArgumentParser
import Foundation
public import MagicData
import MagicInspection

/// A command-line tool for the databases of an app: `magic` with the app's types.
///
/// ```swift
/// import MagicCommand
///
/// @main struct Tool: MagicTool {
///   static let types: [any MagicObject.Type] = [Person.self, Home.self]
/// }
/// ```
///
/// The tool has all commands of `magic`, and those that need types: `migrate` and `record`. Its
/// `serve --write` creates and edits objects of the types.
public protocol MagicTool {
  /// The types whose tables `migrate` changes, with the types that they refer to, and whose objects
  /// `serve --write` edits.
  static var types: [any MagicObject.Type] { get }
  /// The name of the tool in its help. Default: `magic`.
  static var name: String { get }
}

extension MagicTool {
  /// The name of the tool in its help: `magic`.
  public static var name: String { "magic" }

  /// Runs the command of the process's arguments, and ends the process.
  public static func main() async {
    let status = await run(Array(CommandLine.arguments.dropFirst()), output: .standard)
    exit(status)
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: the arguments without the name of the program.
  ///   - output: where the command writes.
  /// - Returns: the number with which the process would end: 0 for success.
  public static func run(_ arguments: [String], output: Output) async -> Int32 {
    await Output.$current.withValue(output) {
      if arguments == ["man"] {
        output.write(
          ManualPage.text(RootCommand<Self>.self, name: name, commands: commands))
        return ExitStatus.success
      }
      return await RootCommand<Self>.run(arguments)
    }
  }

  static var commands: [any ParsableCommand.Type] {
    let migrating: [any ParsableCommand.Type] =
      types.isEmpty ? [MigrateExplanation.self] : [MigrateCommand<Self>.self, RecordCommand.self]
    return [
      InspectCommand.self, SchemaCommand.self, QueryCommand.self, ShowCommand.self,
      VerifyCommand.self, DoctorCommand.self, BackupCommand.self, RestoreCommand.self,
      CopyCommand.self, ExportCommand.self, ImportCommand<Self>.self, CompactCommand.self,
      WatchCommand.self, ServeCommand<Self>.self,
    ] + migrating
  }
}

/// The command that has the others as subcommands.
struct RootCommand<Tool: MagicTool>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Tool.name, abstract: "Look at databases of MagicData, check and keep them.",
      discussion: ManualPage.introduction + "\n\n" + ManualPage.examples(Tool.name),
      subcommands: Tool.commands)
  }

  static func run(_ arguments: [String]) async -> Int32 {
    let output = Output.current
    do {
      var command = try parseAsRoot(arguments)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      return ExitStatus.success
    } catch {
      if let error = CommandError(error) {
        // SQLite's messages contain names of the file.
        output.message(InspectedText.lines("\(Tool.name): \(error.description)"))
        return error.status
      }
      let status = exitCode(for: error).rawValue
      let message = fullMessage(for: error)
      if !message.isEmpty {
        status == ExitStatus.success ? output.line(message) : output.message(message)
      }
      return status
    }
  }
}
