public import Testing

/// The features that a test requires. `.everyEngine` does not run the test on an engine without
/// them.
public struct RequiredFeatures: SuiteTrait, TestTrait {
  let features: EngineFeatures

  /// True: on a suite it applies to each of its tests.
  public var isRecursive: Bool { true }
}

extension Trait where Self == RequiredFeatures {
  /// Requires an engine with these features.
  public static func requires(_ features: EngineFeatures) -> RequiredFeatures {
    RequiredFeatures(features: features)
  }
}

extension Test {
  /// The features that the test and its suites require.
  var requiredFeatures: EngineFeatures {
    traits.reduce(into: []) { features, trait in
      if let required = trait as? RequiredFeatures { features.formUnion(required.features) }
    }
  }
}
