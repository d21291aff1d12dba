package import MagicData
package import MagicInspection

extension InspectedValue {
  init(of value: MagicSQLValue) {
    switch value {
    case .null: self.init(Stored.null)
    case .integer(let integer): self.init(Stored.integer(integer))
    case .real(let real): self.init(Stored.real(real))
    case .text(let text): self.init(Stored.text(text))
    case .blob(let data): self.init(Stored.blob(Array(data)))
    }
  }
}

extension MagicStatement {
  /// Returns the statement with values for named parameters.
  func binding(_ values: [String: InspectedValue]) -> Self {
    values.reduce(self) { statement, parameter in
      switch parameter.value.stored {
      case .null: statement.bind(parameter.key, to: String?.none)
      case .integer(let integer): statement.bind(parameter.key, to: integer)
      case .real(let real): statement.bind(parameter.key, to: real)
      case .text(let text): statement.bind(parameter.key, to: text)
      case .blob(let bytes): statement.bind(parameter.key, to: bytes)
      }
    }
  }
}

extension InspectionError {
  /// Describes an error of the library.
  package init(_ error: MagicError) {
    let kind: Kind =
      switch error.code {
      case .invalidQuery: .invalidInput
      case .readOnly: .notReadOnly
      case .busy, .connectionLost: .busy
      default: .unreadable
      }
    self.init(kind, error.message)
  }
}
