import MagicSchema
import Testing

private struct Wide: MagicObject {
  @OptionMagicValue var p0: Int?
  @OptionMagicValue var p1: Int?
  @OptionMagicValue var p2: Int?
  @OptionMagicValue var p3: Int?
  @OptionMagicValue var p4: Int?
  @OptionMagicValue var p5: Int?
  @OptionMagicValue var p6: Int?
  @OptionMagicValue var p7: Int?
  @OptionMagicValue var p8: Int?
  @OptionMagicValue var p9: Int?
  @OptionMagicValue var p10: Int?
  @OptionMagicValue var p11: Int?
  @OptionMagicValue var p12: Int?
  @OptionMagicValue var p13: Int?
  @OptionMagicValue var p14: Int?
  @OptionMagicValue var p15: Int?
  @OptionMagicValue var p16: Int?
  @OptionMagicValue var p17: Int?
  @OptionMagicValue var p18: Int?
  @OptionMagicValue var p19: Int?
  @OptionMagicValue var p20: Int?
  @OptionMagicValue var p21: Int?
  @OptionMagicValue var p22: Int?
  @OptionMagicValue var p23: Int?
  @OptionMagicValue var p24: Int?
  @OptionMagicValue var p25: Int?
  @OptionMagicValue var p26: Int?
  @OptionMagicValue var p27: Int?
  @OptionMagicValue var p28: Int?
  @OptionMagicValue var p29: Int?
  @OptionMagicValue var p30: Int?
  @OptionMagicValue var p31: Int?
  @OptionMagicValue var p32: Int?
  @OptionMagicValue var p33: Int?
  @OptionMagicValue var p34: Int?
  @OptionMagicValue var p35: Int?
  @OptionMagicValue var p36: Int?
  @OptionMagicValue var p37: Int?
  @OptionMagicValue var p38: Int?
  @OptionMagicValue var p39: Int?
  @OptionMagicValue var p40: Int?
  @OptionMagicValue var p41: Int?
  @OptionMagicValue var p42: Int?
  @OptionMagicValue var p43: Int?
  @OptionMagicValue var p44: Int?
  @OptionMagicValue var p45: Int?
  @OptionMagicValue var p46: Int?
  @OptionMagicValue var p47: Int?
  @OptionMagicValue var p48: Int?
  @OptionMagicValue var p49: Int?
  @OptionMagicValue var p50: Int?
  @OptionMagicValue var p51: Int?
  @OptionMagicValue var p52: Int?
  @OptionMagicValue var p53: Int?
  @OptionMagicValue var p54: Int?
  @OptionMagicValue var p55: Int?
  @OptionMagicValue var p56: Int?
  @OptionMagicValue var p57: Int?
  @OptionMagicValue var p58: Int?
  @OptionMagicValue var p59: Int?
  @OptionMagicValue var p60: Int?
  @OptionMagicValue var p61: Int?
  @OptionMagicValue var p62: Int?
  @OptionMagicValue var p63: Int?
  @OptionMagicValue var p64: Int?
  @OptionMagicValue var p65: Int?
  @OptionMagicValue var p66: Int?
  @OptionMagicValue var p67: Int?
  @OptionMagicValue var p68: Int?
  @OptionMagicValue var p69: Int?
  @OptionMagicValue var p70: Int?
  @OptionMagicValue var p71: Int?
  @OptionMagicValue var p72: Int?
  @OptionMagicValue var p73: Int?
  @OptionMagicValue var p74: Int?
  @OptionMagicValue var p75: Int?
  @OptionMagicValue var p76: Int?
  @OptionMagicValue var p77: Int?
  @OptionMagicValue var p78: Int?
  @OptionMagicValue var p79: Int?
  @OptionMagicValue var p80: Int?
  @OptionMagicValue var p81: Int?
  @OptionMagicValue var p82: Int?
  @OptionMagicValue var p83: Int?
  @OptionMagicValue var p84: Int?
  @OptionMagicValue var p85: Int?
  @OptionMagicValue var p86: Int?
  @OptionMagicValue var p87: Int?
  @OptionMagicValue var p88: Int?
  @OptionMagicValue var p89: Int?
  @OptionMagicValue var p90: Int?
  @OptionMagicValue var p91: Int?
  @OptionMagicValue var p92: Int?
  @OptionMagicValue var p93: Int?
  @OptionMagicValue var p94: Int?
  @OptionMagicValue var p95: Int?
  @OptionMagicValue var p96: Int?
  @OptionMagicValue var p97: Int?
  @OptionMagicValue var p98: Int?
  @OptionMagicValue var p99: Int?
  @OptionMagicValue var p100: Int?
  @OptionMagicValue var p101: Int?
  @OptionMagicValue var p102: Int?
  @OptionMagicValue var p103: Int?
  @OptionMagicValue var p104: Int?
  @OptionMagicValue var p105: Int?
  @OptionMagicValue var p106: Int?
  @OptionMagicValue var p107: Int?
  @OptionMagicValue var p108: Int?
  @OptionMagicValue var p109: Int?
  @OptionMagicValue var p110: Int?
  @OptionMagicValue var p111: Int?
  @OptionMagicValue var p112: Int?
  @OptionMagicValue var p113: Int?
  @OptionMagicValue var p114: Int?
  @OptionMagicValue var p115: Int?
  @OptionMagicValue var p116: Int?
  @OptionMagicValue var p117: Int?
  @OptionMagicValue var p118: Int?
  @OptionMagicValue var p119: Int?
  @OptionMagicValue var p120: Int?
  @OptionMagicValue var p121: Int?
  @OptionMagicValue var p122: Int?
  @OptionMagicValue var p123: Int?
  @OptionMagicValue var p124: Int?
  @OptionMagicValue var p125: Int?
  @OptionMagicValue var p126: Int?
  @OptionMagicValue var p127: Int?
  @OptionMagicValue var p128: Int?
  @OptionMagicValue var p129: Int?
  init() {}
}

@Suite struct WideTypeTests {
  @Test func moreColumnsThanBitsOfAnIntegerAreDistinguished() throws {
    let schema = try ObjectSchema.of(Wide.self)
    #expect(schema.columns.count == 130)
    #expect(schema.columns.map(\.name) == (0..<130).map { "p\($0)" })
    var builder = ChunkBuilder(schema)
    for row in 0..<3 {
      try builder.append(
        zIndex: Int64(row + 1),
        (0..<130).map { $0 % 3 == row ? .integer(Int64($0)) : .null })
    }
    let objects = schema.makeObjects(Wide.self, from: [builder.chunk])
    #expect(objects.map(\.p0) == [0, nil, nil])
    #expect(objects.map(\.p63) == [63, nil, nil])
    #expect(objects.map(\.p64) == [nil, 64, nil])
    #expect(objects.map(\.p65) == [nil, nil, 65])
    #expect(objects.map(\.p127) == [nil, 127, nil])
    #expect(objects.map(\.p128) == [nil, nil, 128])
    #expect(objects.map(\.p129) == [129, nil, nil])
  }

  @Test func onlyTheLastColumnChanges() throws {
    let schema = try ObjectSchema.of(Wide.self)
    var builder = ChunkBuilder(schema)
    try builder.append(zIndex: 1, (0..<130).map { .integer(Int64($0)) })
    let object = schema.makeObjects(Wide.self, from: [builder.chunk])[0]
    object.p129 = -1
    #expect(object.p129 == -1)
    #expect(object.p128 == 128)
    #expect(object.p65 == 65)
    #expect(object.p1 == 1)
  }
}
