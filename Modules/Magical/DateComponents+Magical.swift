public import Foundation

/// Stored as a JSON object of the components that are set.
extension DateComponents: MagicalCodable {}
