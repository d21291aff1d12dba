import Foundation
import MagicData

struct Subscriber: MagicObject {
  @PrimaryMagicValue var name: String

  init() {}
  init(_ name: String) { self.name = name }
}

/// A key with a to-one.
struct Subscription: MagicObject {
  @MagicValue var user: Subscriber
  @MagicValue var feed: String
  @MagicValue var isMuted: Bool = false
  static var key: MagicKey<Self> { MagicKey(\.$user, \.$feed) }

  init() {}
  init(_ user: Subscriber, _ feed: String, isMuted: Bool = false) {
    (self.user, self.feed, self.isMuted) = (user, feed, isMuted)
  }
}

/// A key of three values, in another order than that of the properties.
struct Departure: MagicObject {
  static var key: MagicKey<Departure> { MagicKey(\.$line, \.$day, \.$stop) }

  @MagicValue var stop: UUID
  @MagicValue var line: String
  @MagicValue var day: Int32
  @MagicValue var delay: Int = 0

  init() {}
  init(_ line: String, _ day: Int32, _ stop: UUID, delay: Int = 0) {
    (self.line, self.day, self.stop, self.delay) = (line, day, stop, delay)
  }
}

/// A type with a primary, a version and a key.
struct Invite: MagicObject {
  static var key: MagicKey<Invite> { MagicKey(\.$event, \.$guest) }

  @PrimaryMagicValue var id: String
  @MagicValue var event: Int
  @MagicValue var guest: String
  @MagicValue var answer: String = ""
  @MagicVersion var version: Int

  init() {}
  init(_ event: Int, _ guest: String, _ answer: String = "", id: String? = nil) {
    (self.event, self.guest, self.answer) = (event, guest, answer)
    if let id { self.id = id }
  }
}

/// A key with a to-one of the same type, which other objects of the type refer to.
struct Folder: MagicObject {
  static var key: MagicKey<Folder> { MagicKey(\.$name, \.$level) }

  @MagicValue var name: String
  @MagicValue var level: Int = 0
  @OptionMagicValue var parent: Folder?
  @MagicValue var children: [Folder] = []
  @MagicValue var size: Int = 0

  init() {}
  init(_ name: String, size: Int = 0, level: Int = 0) {
    (self.name, self.size, self.level) = (name, size, level)
  }
}

/// A type with a list of objects whose rows contain the owner.
struct Playbill: MagicObject {
  @MagicValue(.owned) var acts: [Act] = []

  init() {}
}

struct Act: MagicObject {
  static var key: MagicKey<Act> { MagicKey(\.$artist, \.$hour) }

  @MagicValue var artist: String
  @MagicValue var hour: Int
  @MagicValue var title: String = ""

  init() {}
  init(_ artist: String, _ hour: Int, _ title: String = "") {
    (self.artist, self.hour, self.title) = (artist, hour, title)
  }
}
