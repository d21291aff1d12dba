import Foundation

// Uses all features of a database concurrently for some seconds, and prints the findings.

guard let settings = Settings(words: Array(CommandLine.arguments.dropFirst())) else {
  print("the arguments are: path, mode, seconds, seed")
  exit(2)
}

// Ends a program that hangs, with a signal that the test reports.
alarm(UInt32(settings.seconds) + 120)
let soak = Soak(settings)
let findings = await soak.run()
print(soak.figures)
for finding in findings { print("found: \(finding)") }
exit(findings.isEmpty ? 0 : 1)
