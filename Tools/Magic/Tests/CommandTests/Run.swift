import Foundation
import MagicCommand
import MagicData

/// What a command has written, and the number with which it ended.
struct Run {
  let status: Int32
  let output: String
  let messages: String

  var lines: [Substring] { output.split(separator: "\n") }

  /// The output as JSON.
  func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
}

/// A tool without types.
enum PlainTool: MagicTool {
  static let types: [any MagicObject.Type] = []
}

/// Runs a command.
///
/// - Parameter width: the width of the terminal; nil for a pipe.
func magic(
  _ arguments: String..., width: Int? = nil, hasColours: Bool = false,
  tool: any MagicTool.Type = PlainTool.self
) async -> Run {
  await magic(arguments, width: width, hasColours: hasColours, tool: tool)
}

/// Runs a command with arguments in an array.
func magic(
  _ arguments: [String], width: Int? = nil, hasColours: Bool = false,
  tool: any MagicTool.Type = PlainTool.self, messages: Collector = Collector()
) async -> Run {
  let output = Collector()
  let status = await tool.run(
    arguments,
    output: Output(
      width: width, hasColours: hasColours, write: { output.add($0) },
      writeMessage: { messages.add($0) }))
  return Run(status: status, output: output.text, messages: messages.text)
}

/// Runs `watch` until it has reported once. The body runs when the command has read the objects.
func watching(_ arguments: [String], _ body: () async throws -> Void) async throws -> Run {
  let messages = Collector()
  async let run = magic(["watch"] + arguments + ["--count", "1"], messages: messages)
  let end = ContinuousClock.now.advanced(by: .seconds(120))
  while !messages.text.contains("Watching."), ContinuousClock.now < end {
    try await Task.sleep(for: .milliseconds(20))
  }
  try await body()
  return await run
}

/// Texts that a task adds.
final class Collector: @unchecked Sendable {
  private let lock = NSLock()
  private var parts: [String] = []

  func add(_ text: String) { lock.withLock { parts.append(text) } }
  var text: String { lock.withLock { parts.joined() } }
}
