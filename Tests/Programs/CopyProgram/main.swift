import Foundation
import MagicData
import MagicDataPostgres

// Copies a database and reports its progress, one line for each part:
//
//     CopyProgram FROM TO
//
// A place is the path of a file, or a connection string, a line feed and the name of a schema.

func location(_ text: String) -> MagicDatabaseLocation {
  let parts = text.split(separator: "\n", maxSplits: 1).map(String.init)
  return parts.count == 2 ? .postgres(parts[0], schema: parts[1]) : .file(text)
}

func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

do {
  let arguments = CommandLine.arguments
  guard arguments.count == 3 else {
    report("usage: CopyProgram FROM TO")
    exit(2)
  }
  let summary = try await MagicData.copy(
    from: location(arguments[1]), to: location(arguments[2])
  ) { report("part \($0)") }
  report("copied \(summary.rows)")
} catch {
  report("failed \(error)")
  exit(1)
}
