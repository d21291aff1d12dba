/// A value that refers to objects: an object, or an array, dictionary or ``MagicalSet`` of objects.
///
/// Types outside this package do not conform.
public protocol MagicalRelation: SendableMetatype {}
