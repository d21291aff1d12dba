/// Durations are ordered by their values.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Duration: MagicalOrdered {}
