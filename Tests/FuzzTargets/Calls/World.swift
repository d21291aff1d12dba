/// The expected contents of a database, in plain dictionaries by row ID.
struct World: Equatable {
  struct EntryRow: Equatable {
    var id = ""
    var number = 0
    var note: String?
    var file: String?
  }

  struct TicketRow: Equatable {
    var number: Int
    var label: Int
  }

  struct BagRow: Equatable {
    var number = 0
    var one: Int64?
    var next: Int64?
    var list: [Int64] = []
    var ranked: [Int64] = []
    var group: Set<Int64> = []
    var named: [String: Int64] = [:]
    var parts: [Int64] = []
  }

  struct LabelRow: Equatable {
    var code: String
    var name: String

    /// Swift compares texts as Unicode does, and finds texts with other bytes equal.
    static func == (left: LabelRow, right: LabelRow) -> Bool {
      left.code.utf8.elementsEqual(right.code.utf8) && left.name.utf8.elementsEqual(right.name.utf8)
    }
  }

  struct TrayRow: Equatable {
    var list: [Int64] = []
    var group: Set<Int64> = []
    var named: [String: Int64] = [:]
  }

  var entries: [Int64: EntryRow] = [:]
  var marks: [Int64: Int] = [:]
  var tickets: [Int64: TicketRow] = [:]
  var parts: [Int64: Int] = [:]
  var bags: [Int64: BagRow] = [:]
  var trays: [Int64: TrayRow] = [:]
  var labels: [Int64: LabelRow] = [:]
  /// The entries that holders refer to.
  var holders: [Int64: Int64] = [:]

  /// The row that has a name.
  func entry(_ id: String) -> Int64? { entries.first { $0.value.id == id }?.key }

  func isHeld(_ entry: Int64) -> Bool { holders.values.contains(entry) }

  /// Whether a collection contains a mark.
  func isMember(mark: Int64) -> Bool {
    bags.values.contains { ($0.list + $0.ranked + $0.group).contains(mark) }
      || trays.values.contains { ($0.list + $0.group).contains(mark) }
  }

  mutating func removeEntry(_ zIndex: Int64) {
    entries[zIndex] = nil
    for key in bags.keys {
      if bags[key]?.one == zIndex { bags[key]?.one = nil }
      let named = bags[key]?.named ?? [:]
      bags[key]?.named = named.filter { $0.value != zIndex }
    }
    trays = trays.mapValues { tray in
      var tray = tray
      tray.named = tray.named.filter { $0.value != zIndex }
      return tray
    }
  }

  mutating func removeMark(_ zIndex: Int64) {
    marks[zIndex] = nil
    for key in bags.keys {
      bags[key]?.list.removeAll { $0 == zIndex }
      bags[key]?.ranked.removeAll { $0 == zIndex }
      bags[key]?.group.remove(zIndex)
    }
    for key in trays.keys {
      trays[key]?.list.removeAll { $0 == zIndex }
      trays[key]?.group.remove(zIndex)
    }
  }

  mutating func removePart(_ zIndex: Int64) {
    parts[zIndex] = nil
    for key in bags.keys { bags[key]?.parts.removeAll { $0 == zIndex } }
  }

  /// Removes parts from the bags that have them.
  mutating func takeParts(_ taken: [Int64]) {
    for key in bags.keys { bags[key]?.parts.removeAll { taken.contains($0) } }
  }

  mutating func removeBag(_ zIndex: Int64) {
    let members = bags[zIndex]?.parts ?? []
    bags[zIndex] = nil
    for key in bags.keys where bags[key]?.next == zIndex { bags[key]?.next = nil }
    for member in members { removePart(member) }
  }

  /// The number of rows of each table.
  var rows: [String: Set<Int64>] {
    [
      "entry": Set(entries.keys), "mark": Set(marks.keys), "ticket": Set(tickets.keys),
      "part": Set(parts.keys), "bag": Set(bags.keys), "holder": Set(holders.keys),
      "tray": Set(trays.keys), "label": Set(labels.keys),
    ]
  }
}

/// A fault that a comparison must detect.
public enum CallFlaw: Sendable, CaseIterable {
  /// Some saves are omitted.
  case dropsUpdates
  /// The triggers that prevent a second assignment of row IDs are dropped.
  case reusesZIndexes
  /// The writes of a transaction that throws are kept.
  case keepsWhatWasRolledBack
  /// Each save of an owner loses a join row.
  case losesLinks
  /// The trigger that records changed texts for the search index is dropped.
  case keepsSearchedTexts
  /// The rows that a transaction changes before a ticket gets a label are not recorded, so rows in memory stay.
  case keepsCachedRows
  /// The model distinguishes codes of labels by their bytes.
  case comparesBytes
}
