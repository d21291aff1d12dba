import MagicData
import Workloads

/// An object with forty optional numbers.
struct Reading: MagicObject {
  @MagicValue var number: Int
  @OptionMagicValue var s0: Double?
  @OptionMagicValue var s1: Double?
  @OptionMagicValue var s2: Double?
  @OptionMagicValue var s3: Double?
  @OptionMagicValue var s4: Double?
  @OptionMagicValue var s5: Double?
  @OptionMagicValue var s6: Double?
  @OptionMagicValue var s7: Double?
  @OptionMagicValue var s8: Double?
  @OptionMagicValue var s9: Double?
  @OptionMagicValue var s10: Double?
  @OptionMagicValue var s11: Double?
  @OptionMagicValue var s12: Double?
  @OptionMagicValue var s13: Double?
  @OptionMagicValue var s14: Double?
  @OptionMagicValue var s15: Double?
  @OptionMagicValue var s16: Double?
  @OptionMagicValue var s17: Double?
  @OptionMagicValue var s18: Double?
  @OptionMagicValue var s19: Double?
  @OptionMagicValue var s20: Double?
  @OptionMagicValue var s21: Double?
  @OptionMagicValue var s22: Double?
  @OptionMagicValue var s23: Double?
  @OptionMagicValue var s24: Double?
  @OptionMagicValue var s25: Double?
  @OptionMagicValue var s26: Double?
  @OptionMagicValue var s27: Double?
  @OptionMagicValue var s28: Double?
  @OptionMagicValue var s29: Double?
  @OptionMagicValue var s30: Double?
  @OptionMagicValue var s31: Double?
  @OptionMagicValue var s32: Double?
  @OptionMagicValue var s33: Double?
  @OptionMagicValue var s34: Double?
  @OptionMagicValue var s35: Double?
  @OptionMagicValue var s36: Double?
  @OptionMagicValue var s37: Double?
  @OptionMagicValue var s38: Double?
  @OptionMagicValue var s39: Double?

  init() {}

  init(_ reading: PlainReading) {
    number = reading.number
    let values = reading.values
    (s0, s1, s2, s3) = (values[0], values[1], values[2], values[3])
    (s4, s5, s6, s7) = (values[4], values[5], values[6], values[7])
    (s8, s9, s10, s11) = (values[8], values[9], values[10], values[11])
    (s12, s13, s14, s15) = (values[12], values[13], values[14], values[15])
    (s16, s17, s18, s19) = (values[16], values[17], values[18], values[19])
    (s20, s21, s22, s23) = (values[20], values[21], values[22], values[23])
    (s24, s25, s26, s27) = (values[24], values[25], values[26], values[27])
    (s28, s29, s30, s31) = (values[28], values[29], values[30], values[31])
    (s32, s33, s34, s35) = (values[32], values[33], values[34], values[35])
    (s36, s37, s38, s39) = (values[36], values[37], values[38], values[39])
  }

  /// Calls a body with the value of each sensor.
  @inline(__always)
  func forEach(_ body: (Double?) -> Void) {
    body(s0); body(s1); body(s2); body(s3)
    body(s4); body(s5); body(s6); body(s7)
    body(s8); body(s9); body(s10); body(s11)
    body(s12); body(s13); body(s14); body(s15)
    body(s16); body(s17); body(s18); body(s19)
    body(s20); body(s21); body(s22); body(s23)
    body(s24); body(s25); body(s26); body(s27)
    body(s28); body(s29); body(s30); body(s31)
    body(s32); body(s33); body(s34); body(s35)
    body(s36); body(s37); body(s38); body(s39)
  }
}
