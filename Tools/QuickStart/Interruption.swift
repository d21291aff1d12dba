import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Cleans up before a signal ends the process: the temporary database may be large.
struct Interruption {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter clean: runs on a thread of its own, while the job is still under way.
  init(clean: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP, SIGPIPE].map { number in
      // Otherwise the signal ends the process before the source sees it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        clean()
        _exit(128 + number)
      }
      source.activate()
      return source
    }
  }

  func end() {
    for source in sources { source.cancel() }
  }
}
