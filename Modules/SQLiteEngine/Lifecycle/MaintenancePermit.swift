/// Permits one thread to work on the whole database.
package final class MaintenancePermit: Sendable {
  package init() {}
}
