import DiskSimulation
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A disk that becomes full while records of a file are imported.
@Suite struct FullDiskImportTests {
  let scratch = Scratch()

  private struct Parcel: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue(.unique) var text: String

    init() {}
  }

  private static let count = 3_500
  private static let batch = 1_000

  /// Writes the records to a file beside a database.
  private static func parcels(_ path: String, _ form: String) throws -> MagicImport<Parcel> {
    let filler = String(repeating: "x", count: 400)
    let records = (1...count).map { number in
      form == "csv"
        ? "\(number),\(number)\(filler)" : #"{"number":\#(number),"text":"\#(number)\#(filler)"}"#
    }
    let text = (form == "csv" ? ["number,text"] : []) + records
    let file = path + "." + form
    try Data(text.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
    return MagicImport(Parcel.self, from: file)
  }

  /// Imports the records on a disk that is full after a number of reports of progress, and then again on one
  /// with space.
  private static func run(
    _ path: String, _ form: String, isTogether: Bool, reports: Int
  ) async throws {
    let disk = try SimulatedDisk(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    let magic = try await MagicData(path: path)
    // The table exists, also without a batch.
    #expect(try await magic.query(Parcel.self).count() == 0)
    var file = try parcels(path, form)
    file.commits = isTogether ? .together : .eachBatch
    if reports == 0 { disk.calls.fail(.write, with: ENOSPC, isLasting: true) }
    let next = Recorder<Int>()
    let error = await expect(.diskFull) { [file] in
      try await magic.importObjects(file) { progress in
        next.note(progress.nextRecord)
        if next.all.count == reports { disk.calls.fail(.write, with: ENOSPC, isLasting: true) }
      }
    }
    #expect(disk.calls.failureCount > 0)
    let stored = isTogether ? 0 : reports * batch
    #expect(try await magic.query(Parcel.self).count() == stored)
    disk.heal()
    file.firstRecord = next.all.last ?? 1
    #expect(file.firstRecord == stored + 1)
    if !isTogether {
      let fault = error?.cause as? MagicImportError
      #expect(fault?.nextRecord == stored + 1 && fault?.record == stored + 1)
    }
    #expect(try await magic.importObjects(file).records == count - stored)
    #expect(try await magic.query(Parcel.self).count() == count)
    #expect(try await magic.query(Parcel.self).max(\.$number) == count)
    #expect(try await magic.verify().findings == [])
    await magic.close()
  }

  @Test(arguments: ["csv", "jsonl"], [0, 1, 3])
  func aFullDiskStoresWholeBatchesAndTheImportContinuesAfterThem(
    _ form: String, _ reports: Int
  ) async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String, form, reports] in
      try await Self.run(path, form, isTogether: false, reports: reports)
    }
  }

  @Test(arguments: ["csv", "jsonl"], [0, 1, 3])
  func aFullDiskStoresNothingOfAnImportInOneTransaction(
    _ form: String, _ reports: Int
  ) async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String, form, reports] in
      try await Self.run(path, form, isTogether: true, reports: reports)
    }
  }
}
