import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs a closure before a signal ends the process, because a temporary database to remove can be
/// large.
struct Interruption {
  private let sources: [any DispatchSourceSignal]

  /// - Parameters:
  ///   - endsProcess: Whether the process exits after the closure; otherwise the job decides.
  ///   - clean: A closure that is called on a separate thread, while the job is still running.
  init(endsProcess: Bool = true, clean: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP, SIGPIPE].map { number in
      // Otherwise the signal would end the process before the source receives it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        clean()
        if endsProcess { _exit(128 + number) }
      }
      source.activate()
      return source
    }
  }

  func end() {
    for source in sources { source.cancel() }
  }
}
