import EngineConformance
import MagicData
import Testing

/// A type with more columns than the arguments of an SQL function, and the primary after them.
@Suite(.everyEngine) struct ExactWideTests {
  @Test(.requires(.rawSQL)) func aChangeOfEachOfManyColumnsIsReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(contentsOf: [ExactWide(), ExactWide()])
    let texts = try await reported(ExactWide.self, in: magic) {
      for place in [0, 59, 60, 63, 64, 119, 120, 129] {
        try await $0.sql("UPDATE ExactWide SET c\(raw: "\(place)") = 1").run()
      }
      try await $0.sql("UPDATE ExactWide SET c0 = 2, c60 = 2, c129 = 2 WHERE id = 2").run()
      try await $0.sql("UPDATE ExactWide SET tag = NULL, c1 = 0").run()
      try await $0.update(ExactWide())
      try await $0.sql("UPDATE OR REPLACE ExactWide SET z_index = 3 WHERE id = 1").run()
    }
    let first = [0, 59, 60, 63, 64, 119, 120, 129].map { "1:c\($0) 2:c\($0)" }
    let changed = [0, 59, 60, 63, 64, 119, 120, 129].map { "c\($0)" }.joined(separator: ",")
    #expect(texts == first + ["2:c0,c60,c129", "+3", "-1 3:\(changed),id"])
  }

  @Test(.requires(.rawSQL)) func columnsAfterTheFirst64AreObserved() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(ExactWide())
    let changes = magic.changes(of: ExactWide.self, columns: \.$c119, \.$c129)
    for place in [0, 55, 63, 65, 118, 119, 128, 129] {
      try await magic.sql("UPDATE ExactWide SET c\(raw: "\(place)") = 1").run()
    }
    await magic.close()
    #expect(await texts(changes) == ["1:c119", "1:c129"])
  }

  @Test(.requires(.queries)) func aPrimaryAfterManyColumnsIsReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(contentsOf: [ExactWide(), ExactWide()])
    let one = magic.changes(of: ExactWide.self, primary: 2)
    try await magic.query(ExactWide.self).where(\.$id == 1).update(set: \.$c0, to: 1)
    try await magic.query(ExactWide.self).where(\.$id == 2).update(set: \.$c0, to: 1)
    try await magic.query(ExactWide.self).where(\.$id == 2).update(
      set: .set(\.$id, to: 3), .set(\.$c129, to: 4))
    try await magic.query(ExactWide.self).where(\.$id == 1).delete()
    try await magic.query(ExactWide.self).update(set: \.$id, to: 2)
    try await magic.query(ExactWide.self).delete()
    await magic.close()
    #expect(await texts(one) == ["2:c0", "2:c129,id", "2:id", "-2"])
  }
}

struct ExactWide: MagicObject {
  @MagicValue var c0: Int = 0
  @MagicValue var c1: Int = 0
  @MagicValue var c2: Int = 0
  @MagicValue var c3: Int = 0
  @MagicValue var c4: Int = 0
  @MagicValue var c5: Int = 0
  @MagicValue var c6: Int = 0
  @MagicValue var c7: Int = 0
  @MagicValue var c8: Int = 0
  @MagicValue var c9: Int = 0
  @MagicValue var c10: Int = 0
  @MagicValue var c11: Int = 0
  @MagicValue var c12: Int = 0
  @MagicValue var c13: Int = 0
  @MagicValue var c14: Int = 0
  @MagicValue var c15: Int = 0
  @MagicValue var c16: Int = 0
  @MagicValue var c17: Int = 0
  @MagicValue var c18: Int = 0
  @MagicValue var c19: Int = 0
  @MagicValue var c20: Int = 0
  @MagicValue var c21: Int = 0
  @MagicValue var c22: Int = 0
  @MagicValue var c23: Int = 0
  @MagicValue var c24: Int = 0
  @MagicValue var c25: Int = 0
  @MagicValue var c26: Int = 0
  @MagicValue var c27: Int = 0
  @MagicValue var c28: Int = 0
  @MagicValue var c29: Int = 0
  @MagicValue var c30: Int = 0
  @MagicValue var c31: Int = 0
  @MagicValue var c32: Int = 0
  @MagicValue var c33: Int = 0
  @MagicValue var c34: Int = 0
  @MagicValue var c35: Int = 0
  @MagicValue var c36: Int = 0
  @MagicValue var c37: Int = 0
  @MagicValue var c38: Int = 0
  @MagicValue var c39: Int = 0
  @MagicValue var c40: Int = 0
  @MagicValue var c41: Int = 0
  @MagicValue var c42: Int = 0
  @MagicValue var c43: Int = 0
  @MagicValue var c44: Int = 0
  @MagicValue var c45: Int = 0
  @MagicValue var c46: Int = 0
  @MagicValue var c47: Int = 0
  @MagicValue var c48: Int = 0
  @MagicValue var c49: Int = 0
  @MagicValue var c50: Int = 0
  @MagicValue var c51: Int = 0
  @MagicValue var c52: Int = 0
  @MagicValue var c53: Int = 0
  @MagicValue var c54: Int = 0
  @MagicValue var c55: Int = 0
  @MagicValue var c56: Int = 0
  @MagicValue var c57: Int = 0
  @MagicValue var c58: Int = 0
  @MagicValue var c59: Int = 0
  @MagicValue var c60: Int = 0
  @MagicValue var c61: Int = 0
  @MagicValue var c62: Int = 0
  @MagicValue var c63: Int = 0
  @MagicValue var c64: Int = 0
  @MagicValue var c65: Int = 0
  @MagicValue var c66: Int = 0
  @MagicValue var c67: Int = 0
  @MagicValue var c68: Int = 0
  @MagicValue var c69: Int = 0
  @MagicValue var c70: Int = 0
  @MagicValue var c71: Int = 0
  @MagicValue var c72: Int = 0
  @MagicValue var c73: Int = 0
  @MagicValue var c74: Int = 0
  @MagicValue var c75: Int = 0
  @MagicValue var c76: Int = 0
  @MagicValue var c77: Int = 0
  @MagicValue var c78: Int = 0
  @MagicValue var c79: Int = 0
  @MagicValue var c80: Int = 0
  @MagicValue var c81: Int = 0
  @MagicValue var c82: Int = 0
  @MagicValue var c83: Int = 0
  @MagicValue var c84: Int = 0
  @MagicValue var c85: Int = 0
  @MagicValue var c86: Int = 0
  @MagicValue var c87: Int = 0
  @MagicValue var c88: Int = 0
  @MagicValue var c89: Int = 0
  @MagicValue var c90: Int = 0
  @MagicValue var c91: Int = 0
  @MagicValue var c92: Int = 0
  @MagicValue var c93: Int = 0
  @MagicValue var c94: Int = 0
  @MagicValue var c95: Int = 0
  @MagicValue var c96: Int = 0
  @MagicValue var c97: Int = 0
  @MagicValue var c98: Int = 0
  @MagicValue var c99: Int = 0
  @MagicValue var c100: Int = 0
  @MagicValue var c101: Int = 0
  @MagicValue var c102: Int = 0
  @MagicValue var c103: Int = 0
  @MagicValue var c104: Int = 0
  @MagicValue var c105: Int = 0
  @MagicValue var c106: Int = 0
  @MagicValue var c107: Int = 0
  @MagicValue var c108: Int = 0
  @MagicValue var c109: Int = 0
  @MagicValue var c110: Int = 0
  @MagicValue var c111: Int = 0
  @MagicValue var c112: Int = 0
  @MagicValue var c113: Int = 0
  @MagicValue var c114: Int = 0
  @MagicValue var c115: Int = 0
  @MagicValue var c116: Int = 0
  @MagicValue var c117: Int = 0
  @MagicValue var c118: Int = 0
  @MagicValue var c119: Int = 0
  @MagicValue var c120: Int = 0
  @MagicValue var c121: Int = 0
  @MagicValue var c122: Int = 0
  @MagicValue var c123: Int = 0
  @MagicValue var c124: Int = 0
  @MagicValue var c125: Int = 0
  @MagicValue var c126: Int = 0
  @MagicValue var c127: Int = 0
  @MagicValue var c128: Int = 0
  @MagicValue var c129: Int = 0
  @PrimaryMagicValue var id: Int
  @OptionMagicValue var tag: ExactTag?

  init() {}
}
