/// A place among those who work on the whole database.
final class MaintenanceTurn: Sendable {}
