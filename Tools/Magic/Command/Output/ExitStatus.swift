import ArgumentParser
import MagicData
import MagicInspection

/// The numbers with which a command ends. Scripts rely on them.
enum ExitStatus {
  /// Everything was done.
  static let success: Int32 = 0
  /// The check has found faults, or the plan has changes that are refused.
  static let findings: Int32 = 1
  /// The file does not exist, cannot be read, or is not a database.
  static let noDatabase: Int32 = 2
  /// The file is damaged, or a newer version has written it.
  static let damaged: Int32 = 3
  /// The database has no such type, property or object.
  static let notFound: Int32 = 4
  /// A limit of time, rows or bytes is exceeded.
  static let limit: Int32 = 5
  /// Another process uses the file.
  static let busy: Int32 = 6
  /// Something else has failed.
  static let failure: Int32 = 7
  /// The arguments are invalid, or the SQL is.
  static let usage: Int32 = 64
}

/// An error of a command: what is wrong, and what to do.
struct CommandError: Error, CustomStringConvertible {
  let status: Int32
  let description: String

  init(_ status: Int32, _ description: String) {
    self.status = status
    self.description = description
  }

  /// Describes an error of any kind; nil for errors of the arguments, and requests for help.
  init?(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as InspectionError: self.init(Self.status(error.kind), error.description)
    case let error as MagicError: self.init(Self.status(error.code), Self.sentence(error))
    case is CancellationError: self.init(ExitStatus.failure, "The command was cancelled.")
    default: return nil
    }
  }

  /// The message of an error with its type and property. The code is for programs.
  private static func sentence(_ error: MagicError) -> String {
    let subject = [error.type, error.property].compactMap { $0 }.joined(separator: ".")
    return error.message + (subject.isEmpty ? "" : " [\(subject)]")
  }

  private static func status(_ kind: InspectionError.Kind) -> Int32 {
    switch kind {
    case .missingFile, .notADatabase, .unreadable, .unfinished: ExitStatus.noDatabase
    case .damaged, .newerFormat: ExitStatus.damaged
    case .notFound: ExitStatus.notFound
    case .invalidInput, .notReadOnly: ExitStatus.usage
    case .limit: ExitStatus.limit
    case .busy: ExitStatus.busy
    }
  }

  private static func status(_ code: MagicError.Code) -> Int32 {
    switch code {
    case .cannotOpen, .notADatabase: ExitStatus.noDatabase
    case .corrupt, .newerFormat, .lostDatabase: ExitStatus.damaged
    case .busy: ExitStatus.busy
    default: ExitStatus.failure
    }
  }
}
