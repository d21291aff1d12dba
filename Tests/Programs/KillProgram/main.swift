import Foundation
import MagicStore

// Works on a database until it ends itself at a step, or is ended. Each call is announced before
// and acknowledged after it, on the standard output.

guard let arguments = Arguments(words: Array(CommandLine.arguments.dropFirst())) else {
  Message.failure("the arguments are: path, workload, mode, seed, step, count").send()
  exit(2)
}

// A program that hangs is ended, and found by the signal.
alarm(30)
Message.ready.send()
do {
  let killSwitch = KillSwitch(at: arguments.step, arguments.count)
  switch arguments.workload {
  case .calls:
    let work = try Work(arguments, killSwitch)
    // One that waits for a step that does not come is to be through some time.
    var left = arguments.step == nil ? Int.max : 60
    while left > 0 {
      try work.step()
      left -= 1
    }
    try work.close()
  case .backup: try BackupWork(arguments, killSwitch).run()
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
