// Code of an app that uses the adapters.
import CloudKit
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

func send(_ person: Person, over fetched: CKRecord?) throws -> CKRecord {
  let record = try person.cloudRecord()
  guard let fetched else { return record.ckRecord(in: CKRecordZone.default().zoneID) }
  record.write(to: fetched)
  return fetched
}

func receive(_ record: CKRecord, _ magic: MagicData) async throws {
  let id = try MagicID<Person>(cloudRecordName: record.recordID.recordName)
  let person = (try? await magic.object(with: id)) ?? Person()
  try await magic.apply(cloudRecord: MagicCloudRecord(ckRecord: record), to: person)
  try await magic.update(person)
}

func copy(_ person: Person) throws -> Person { try Person(ckRecord: person.ckRecord()) }
