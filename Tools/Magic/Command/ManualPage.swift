import ArgumentParser

/// The manual page of a tool, in the language of man.
enum ManualPage {
  /// Returns the page, made of the help of all commands.
  static func text(
    _ root: any ParsableCommand.Type, name: String, commands: [any ParsableCommand.Type]
  ) -> String {
    var page = """
      .TH \(name.uppercased()) 1
      .SH NAME
      \(name) \\- \(escaped(root.configuration.abstract))
      .SH SYNOPSIS
      .B \(name)
      .I command
      .RI [ argument ...]
      .SH DESCRIPTION
      \(escaped(introduction))
      .SH EXAMPLES
      .nf
      \(escaped(examples(name)))
      .fi
      .SH COMMANDS

      """
    for command in commands where command.configuration.shouldDisplay {
      let title = command.configuration.commandName ?? ""
      let help = root.helpMessage(for: command, includeHidden: false, columns: 72)
      page += ".SS \(title)\n.nf\n\(escaped(help))\n.fi\n"
    }
    page += """
      .SH EXIT STATUS
      \(statuses.map { ".TP\n\($0)\n\($1)" }.joined(separator: "\n"))
      .SH ENVIRONMENT
      .TP
      NO_COLOR
      If it is set and not empty, the output has no colours.

      """
    return page
  }

  static let introduction = """
    Commands that only look open the file for reading, also while a program uses it. They read \
    files of all versions, and of other programs too where that makes sense.
    """

  static func examples(_ name: String) -> String {
    """
    \(name) inspect people.sqlite3
    \(name) show people.sqlite3 Person ada
    \(name) query people.sqlite3 "SELECT name FROM Person WHERE age > :age" -p age=30
    \(name) serve people.sqlite3 --write --open
    \(name) copy people.sqlite3 "host=db.example.com dbname=shop"
    \(name) export people.sqlite3 people
    \(name) import people.csv people.sqlite3 --type Person --plan
    """
  }

  /// What the numbers mean with which a command ends.
  static let statuses: [(Int32, String)] = [
    (ExitStatus.success, "Everything was done."),
    (
      ExitStatus.findings,
      "The check has found faults, or steps of a migration or records are refused."
    ),
    (ExitStatus.noDatabase, "The file does not exist, cannot be read, or is not a database."),
    (ExitStatus.damaged, "The file is damaged, or a newer version has written it."),
    (ExitStatus.notFound, "The database has no such type or object."),
    (ExitStatus.limit, "A limit of time or size is exceeded."),
    (ExitStatus.busy, "A program uses the file."),
    (ExitStatus.failure, "Something else has failed."),
    (ExitStatus.usage, "The arguments or the SQL are invalid."),
  ]

  /// A line that begins with a dot or a quote would be a request.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { ".'".contains($0.prefix(1)) && !$0.isEmpty ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
