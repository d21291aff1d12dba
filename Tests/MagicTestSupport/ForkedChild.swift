import CFork
import Foundation

/// A process that was forked from this one: it runs a body, reports its findings at the end, and
/// this process waits for it.
///
///     let child = try ForkedChild { found in
///       found.expect(isRefused(store), "the store allows calls")
///     }
///     #expect(child.findings == [] && child.status == 0)
public struct ForkedChild {
  /// The findings of the child.
  public let findings: [String]
  /// 0 for a child that ran to its end; 128 or more if a signal has ended it.
  public let status: Int32

  /// The pipe to which a child writes its findings.
  public final class Report {
    private let output: Int32

    init(to output: Int32) { self.output = output }

    /// Reports a condition that is false.
    public func expect(_ holds: Bool, _ finding: String) {
      guard !holds else { return }
      let line = finding + "\n"
      _ = line.withCString { write(output, $0, strlen($0)) }
    }
  }

  /// Forks, and waits for the child.
  public init(_ body: (Report) throws -> Void) throws {
    let pipe = Pipe()
    let output = pipe.fileHandleForWriting.fileDescriptor
    status = withoutActuallyEscaping(body) { body in
      var work = {
        let report = Report(to: output)
        do {
          try body(report)
        } catch {
          report.expect(false, "the child failed: \(error)")
        }
      }
      return withUnsafeMutablePointer(to: &work) { work in
        cfork_run(
          { context in
            context.assumingMemoryBound(to: (() -> Void).self).pointee()
            return 0
          }, work)
      }
    }
    try pipe.fileHandleForWriting.close()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    findings = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
