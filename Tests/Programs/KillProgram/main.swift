import Foundation
import MagicStore

// Works on a database until the program kills itself at a step, or the test kills it. Each call is
// announced before it and acknowledged after it on standard output.

guard let arguments = Arguments(words: Array(CommandLine.arguments.dropFirst())) else {
  Message.failure("the arguments are: path, workload, mode, seed, step, count").send()
  exit(2)
}

// Ends a program that hangs, with a signal that the test reports.
alarm(30)
Message.ready.send()
do {
  let killSwitch = KillSwitch(at: arguments.step, arguments.count)
  switch arguments.workload {
  case .calls:
    let work = try Work(arguments, killSwitch)
    // Limits the calls, in case the program never reaches the step.
    var left = arguments.step == nil ? Int.max : 60
    while left > 0 {
      try work.step()
      left -= 1
    }
    try work.close()
  case .backup: try BackupWork(arguments, killSwitch).run()
  case .export: try ExportWork(arguments, killSwitch).run()
  case .importing: try ImportWork(arguments, killSwitch).run()
  case .migration:
    try MigrationWork(arguments.path, way: MigrationWork.Way(seed: arguments.seed))
      .run(arguments.mode, killSwitch)
  case .older: try OlderWork(arguments.path).run()
  }
  Message.done.send()
} catch {
  Message.failure("\(error)").send()
  exit(1)
}
