// Code of an app that uses the adapters.
import Combine
import MagicData
import SwiftUI

struct Person: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age = 0

  init() {}
}

struct PeopleView: View {
  @MagicResults(MagicQuery(Person.self).where(\.$age > 17).order(by: \.$name)) var adults
  @MagicResults(Person.self) var people

  var body: some View {
    Text(verbatim: "\(adults.count) of \(people.count), loading: \($people?.isLoading ?? false)")
  }
}

struct RootView: View {
  let magic: MagicData

  var body: some View { PeopleView().environment(\.magicDatabase, magic) }
}

func watch(_ magic: MagicData) -> [AnyCancellable] {
  [
    magic.query(Person.self).values().publisher
      .sink(receiveCompletion: { _ in }, receiveValue: { print($0.count) }),
    magic.changes(of: Person.self).publisher.sink { print($0) },
  ]
}
