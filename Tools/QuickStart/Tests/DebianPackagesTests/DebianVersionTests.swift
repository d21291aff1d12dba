import DebianPackages
import Testing

@Suite struct DebianVersionTests {
  @Test(arguments: [
    ("1.0~rc1", "1.0"), ("1.0~~", "1.0~"), ("1.0~~a", "1.0~"), ("1.0", "1.0a"), ("1.0a", "1.0+b1"),
    ("1.9", "1.10"), ("1.10", "1:0"), ("1:2", "2:1"), ("9:0", "10:0"), ("1.0-1", "1.0-2"),
    ("1.0-1", "1.0-1+deb12u1"), ("1.0", "1.0-1"), ("1.0-1-1", "1.0-1-2"), ("1.0-9", "1.0.1-1"),
    ("2.36-9+deb12u9", "2.36-9+deb12u14"), ("", "0a"),
    ("18446744073709551616", "18446744073709551617"),
  ])
  func theFirstIsLower(_ lower: String, _ higher: String) {
    #expect(DebianVersion(lower) < DebianVersion(higher))
    #expect(!(DebianVersion(higher) < DebianVersion(lower)))
    #expect(DebianVersion(lower) != DebianVersion(higher))
  }

  @Test(arguments: [
    ("1.0", "1.0"), ("1.0", "1.00"), ("0:1", "1"), ("1.0", "1.0-0"), ("1.0", "1.0-"), ("1", "01"),
    ("", "0"),
  ])
  func theTwoAreEqual(_ first: String, _ second: String) {
    #expect(DebianVersion(first) == DebianVersion(second))
    #expect(!(DebianVersion(first) < DebianVersion(second)))
    #expect(!(DebianVersion(second) < DebianVersion(first)))
  }

  @Test func textBeforeTheColonThatIsNotANumberIsNotAnEpoch() {
    #expect(DebianVersion("a:1") < DebianVersion("2:1"))
    #expect(DebianVersion("a:1") == DebianVersion("0:a:1"))
  }
}
