/// Permits one thread to work on the whole database.
final class MaintenancePermit: Sendable {}
