import Foundation

// Uses a database in every way at once for some seconds, and says what it has found.

guard let settings = Settings(words: Array(CommandLine.arguments.dropFirst())) else {
  print("the arguments are: path, mode, seconds, seed")
  exit(2)
}

// A program that hangs is ended, and found by the signal.
alarm(UInt32(settings.seconds) + 120)
let soak = Soak(settings)
let findings = await soak.run()
print(soak.figures)
for finding in findings { print("found: \(finding)") }
exit(findings.isEmpty ? 0 : 1)
