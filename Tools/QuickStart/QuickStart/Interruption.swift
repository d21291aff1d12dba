import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs something before a signal ends the process: a temporary database to be removed may be large.
struct Interruption {
  private let sources: [any DispatchSourceSignal]

  /// - Parameters:
  ///   - endsProcess: whether the process ends then; else it is up to what runs.
  ///   - clean: runs on a thread of its own, while the job is still under way.
  init(endsProcess: Bool = true, clean: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP, SIGPIPE].map { number in
      // Otherwise the signal ends the process before the source sees it.
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
