// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of SwiftUI that MagicObservation and `Usage.swift` use, with the isolation that they
// have in Apple's module.

#if ISOLATED
  @MainActor @preconcurrency
  public protocol DynamicProperty {
    mutating func update()
  }
#else
  public protocol DynamicProperty {
    mutating func update()
  }
#endif

extension DynamicProperty {
  public mutating func update() {}
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let path: KeyPath<EnvironmentValues, Value>

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }

  public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}

extension Environment: @unchecked Sendable where Value: Sendable {}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let value: Value

  public init(wrappedValue value: Value) { self.value = value }
  public init(initialValue value: Value) { self.value = value }

  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }
}

extension State: Sendable where Value: Sendable {}

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @MainActor var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("It is only compiled.") }
}

extension View {
  nonisolated public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View { self }
}

@MainActor @preconcurrency
public struct Text: View {
  nonisolated public init(verbatim content: String) {}
  public var body: Never { fatalError("It is only compiled.") }
}
