import Foundation
package import MagicPostgreSQL

/// A server of PostgreSQL that belongs to the tests of this process. Its files are in a temporary
/// directory, and it listens on a Unix socket there.
package final class PostgreSQLServer: Sendable {
  /// The directory of the socket and of the data.
  package let directory: String
  /// Ends the server when it is closed, also by the end of this process.
  private let life: Pipe
  private let answers: FileHandle

  /// The server that most tests share. It is started when it is first used.
  package static let shared = Result {
    try PostgreSQLServer(settings: [
      "wal_level=logical", "max_replication_slots=50", "max_wal_senders=50",
    ])
  }

  /// Whether tests run on PostgreSQL: if it is installed, or if `MAGIC_POSTGRES=1` requires it.
  package static let isTested =
    ProcessInfo.processInfo.environment["MAGIC_POSTGRES"] == "1" || programs != nil

  /// The directory of the server's programs; nil if PostgreSQL is not installed.
  package static let programs: String? = {
    let versions = "/usr/lib/postgresql"
    let installed = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
    let directories =
      installed.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(versions)/\($0)/bin" }
      + ["/opt/homebrew/opt/postgresql@15/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"]
    return directories.first {
      FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
        && FileManager.default.isExecutableFile(atPath: $0 + "/postgres")
    }
  }()

  /// Creates and starts a server.
  ///
  /// - Parameters:
  ///   - settings: settings of the server, such as `"max_connections=10"`. Commits are not durable by
  ///     default.
  ///   - primary: a server of which this one is a standby; nil for a server of its own.
  package init(settings: [String] = [], standbyOf primary: PostgreSQLServer? = nil) throws {
    guard let programs = Self.programs else {
      throw PostgreSQLServerError("PostgreSQL is not installed. Run: Tools/setup postgres")
    }
    directory = FileManager.default.temporaryDirectory.path + "/pg-\(UUID().uuidString.prefix(8))"
    let all =
      [
        "listen_addresses=", "unix_socket_directories=\(directory)", "fsync=off",
        "full_page_writes=off", "max_connections=100", "shared_buffers=32MB",
      ] + settings
    life = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", Self.script, "server", directory, programs, primary?.directory ?? ""]
      + all.map { "-c\($0)" }
    process.standardInput = life
    let output = Pipe()
    process.standardOutput = output
    answers = output.fileHandleForReading
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The script reports the end of its preparation.
    guard let line = try answers.read(upToCount: 6), line.count == 6 else {
      throw PostgreSQLServerError("initdb has failed.")
    }
    try waitUntilItAccepts()
  }

  /// Creates the data, starts the server, runs commands, and stops it at the end of the standard input.
  /// The server refuses to run as root, so root runs it as another user.
  private static let script = """
    directory=$1 programs=$2 primary=$3
    shift 3
    as_user=
    if [ "$(id -u)" = 0 ]; then
      user=postgres
      id "$user" >/dev/null 2>&1 || user=nobody
      as_user="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
    fi
    mkdir -p "$directory/data" || exit 1
    [ -z "$as_user" ] || chown -R "$user" "$directory"
    cd "$directory"
    if [ -n "$primary" ]; then
      rm -rf data
      $as_user "$programs/pg_basebackup" -h "$primary" -U magic -D data -R -c fast --no-sync
    else
      $as_user "$programs/initdb" -D data -U magic -A trust -E UTF8 --locale=C --no-sync
    fi >/dev/null || { rm -rf "$directory"; exit 1; }
    start() {
      $as_user "$programs/postgres" -D "$directory/data" "$@" </dev/null >>"$directory/log" 2>&1 &
      server=$!
    }
    start "$@"
    echo ready
    while read -r command; do
      case $command in
        kill)
          kill -STOP "$server"
          children=$(ps -A -o pid=,ppid= | awk -v p="$server" '$2 == p { print $1 }')
          kill -KILL $children "$server"
          wait "$server"
          # A server does not start while processes of the former one use its shared memory.
          while [ -n "$children" ] && ps -o stat= -p "$(echo $children | tr ' ' ,)" |
            grep -qv Z; do sleep 0.02; done ;;
        shutdown) kill -INT "$server"; wait "$server" ;;
        crash) kill -QUIT "$server"; wait "$server" ;;
        start) start "$@" ;;
      esac 2>/dev/null
      echo done
    done
    kill -QUIT "$server" 2>/dev/null
    wait "$server"
    rm -rf "$directory"
    """

  private func waitUntilItAccepts() throws {
    let end = Date(timeIntervalSinceNow: 60)
    while true {
      do {
        try PostgreSQLConnection(information).close()
        return
      } catch {
        guard Date() < end else { throw error }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  /// Kills all processes of the server, as a loss of its machine does.
  package func kill() throws { try run("kill") }

  /// Shuts the server down, and ends its connections.
  package func shutDown() throws { try run("shutdown") }

  /// Ends the server at once, as it does itself after the crash of one of its processes.
  package func crash() throws { try run("crash") }

  /// Starts the server again after it has ended.
  package func start() throws {
    try run("start")
    try waitUntilItAccepts()
  }

  private func run(_ command: String) throws {
    try life.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    guard try answers.read(upToCount: 5)?.count == 5 else {
      throw PostgreSQLServerError("The command \(command) has failed.")
    }
  }

  /// Makes a standby accept writes.
  package func promote() throws {
    let result = try connect().execute("SELECT pg_promote(true, 60)")
    guard result.text(0, 0) == "t" else {
      throw PostgreSQLServerError("The standby was not promoted.")
    }
  }

  /// Lets each commit wait until a standby has it.
  package func requireStandby() throws {
    let connection = try connect()
    try connection.execute("ALTER SYSTEM SET synchronous_standby_names TO '*'")
    try connection.execute("SELECT pg_reload_conf()")
    while try connection.execute("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'").count
      == 0
    {
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// Separates a standby from its primary.
  package func disconnect() throws {
    let connection = try connect()
    try connection.execute("ALTER SYSTEM SET primary_conninfo TO ''")
    try connection.execute("SELECT pg_reload_conf()")
    while try connection.execute("SELECT FROM pg_stat_wal_receiver").count > 0 {
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// The connection string with which a client finds the one of the servers that accepts writes.
  package static func information(_ servers: [PostgreSQLServer]) -> String {
    "host=\(servers.map(\.directory).joined(separator: ",")) user=magic dbname=postgres "
      + "target_session_attrs=read-write connect_timeout=2"
  }

  /// Stops the server without waiting for its clients, and deletes its files.
  package func stop() { try? life.fileHandleForWriting.close() }

  deinit { stop() }

  /// The connection string of the database.
  package var information: String { "host=\(directory) user=magic dbname=postgres" }

  /// Opens a connection.
  package func connect(
    trace: (@Sendable (String) -> Void)? = nil
  ) throws -> PostgreSQLConnection {
    try PostgreSQLConnection(information, trace: trace)
  }
}

/// A server that cannot be started.
package struct PostgreSQLServerError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
