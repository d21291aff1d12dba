import Foundation
import Testing

@testable import CoreDataImport

/// The decompression of models.
@Suite struct InflateTests {
  /// The text that the data of zlib contains.
  private static let text = Array(
    (0..<400).map { "line \($0 * $0 % 977) of \($0)\n" }.joined().utf8)

  /// With codes of its own.
  private static let dynamic = decoded(
    """
    RZhLrii5DUPnWcVbQlnyTwtKgACNzv5n6Wvy6M5KcNmm9SEt//Xfv//95/vzv//8+f7118/3+Pke+p4/36Hv+vlO/7\
    N/jCkj1o+xZOQb2Z7+5hwZ+y12Zdy3S3m17+0/ABCCYAxjvokj2PotOkBSb8MBFoEZC2gaNZ64mmtEGVr5Al37GtUU\
    qjCqOd9o4Jkr3xjVirdyGNU6b98wqi1UYVTbo0Z1PNeojlfGU97XqEqo0qhKmBNU51m4asQzcdVRCHHVvM8kcEOjBp\
    WluQY1t1Y2qKWYZHG+fPlgUOd7o3NwoDd3GtU9b+VpVLXevtOozjvPXARb/xK/9fw4id96vpiXCGmfAuPz8vpIvze6\
    AKW5C1BaeQFK+y6DqneeRVJ9+hdPjefHhafy+WLhKe+Dp5S9G0/VG90GVePN3Qal2G7Cd98+e7LtO89eHF6jBrVUYJ\
    ucUsFucmppH+rvnedQfqqZY0xRKuJgn+eLQ6LX2+cQvfnOcwzqenST9886lOrz8aH6lJ2H6OU7zyV6QnEN6io+l+p7\
    u15jCnnm4qj7znMXAdEoxZeaeyiv54t7YSaZBX+8wxeUsN9oDTLsQS5SSolQSV48i+LLd4AieiqgwlEKVx3IUmyJp2\
    SBKU2egNLw+ECVIrmvYYkDv8SzMgF2rmyQmTI//PWFbBwmZ48Pjy3bRVjFwJD7Ko3D7jcEH3rf2h56jxKfw+/LlA3B\
    n+XxDeXJJMemd4cibsouqFeniaZTjcPyIWoe0Pw81qJkvvaD6OvoNDB9oF0tiDp9c/3y/oTWJrFV/QzYfvl36P6qck\
    cT/if4MH4aDpS/HXs4v4bH4ddP7mrWv97/AlfRad7XdHg/JVUD4t8OFsxfn7afXai2Ce6n5WH/Ux7v4Oq48P80fATg\
    fPLubPfpLgA8V8rqypC30IAS5QxEIJyLqMA6Wh4duNfjeM/HRQmWvb2adeVdtGCU5iMGy+5ADe5UtJGDIbEYCMJy6a\
    EI18m+W6f8P5rg8yIK1+dDFSJsQ8Hi64EwlMPTyuBiOC1Xvl21iAoP4pD2L+qwuY3Beoou+jDNDAjEsftPq5amIxHL\
    /7dGuNYRidDVYiAT23BaJzwd4vv8O8Tn06IUQ9eYcftKZDhc1OzN6uzT/6jFcTIjF0MSMKqjKzwoxnUxVN/X/H8Ts7\
    yNaAxnI6qxTFXV+Hy97eLVtRPdOLovBbrxT9hkg++G7Mk1XWYrmn/fyM6VDTP7Doxu7ErZRDc1v3VDxRPohjZHNWYI\
    LLJxl9CMjq1nwyzp/2EW745ubAUv0I1rk8rwdr+yofFuDtLNQV95dcNHNnLa5tpUnk/lKrfit0OQM5CNEM8HsrFFxI\
    FuDDFHoBvb/7duuFnh+mRvIRvOBFRjDc/GebKQtKu90YySIgeaMbHJO/tm9n1FZ0c0Snkas0MrsN0vDLdWk3HPb03z\
    /+BzIiEapTqP7hqWbfA5NqjGPDo9qlFO3NV3T51ndWxl4rzp6ThP3kMzljg9VletToNm7OnOkciql4puIMTJgWaEQ4\
    lmHGcempH2ZmvG8nzKVi1joBnl/dGM5UxCM7bNvhBoevcSkoBAMs7nVrc5WcdBMq5IK1oyyvMJrkkJyVgizUAzhkg7\
    0Izt46EZof4k0Izr/9GMtHvRjNKFK9CM5cJCM4ajjWgc9QuBaCTrI7lOHkRjYnMfFVw0Y0viAs0ISWR0i+Hc7R7DPI\
    BmmEaQjO1oIRnh5Og+QxIXSMYs2ySfSi+RjKMLSCIZqVxPJKP8wtCScWzTawy/ZXChUuknmjGX129qkcmFwM8b3Woo\
    9xPJKClWjr6O+q2E5FPrky0aSrbsXsPw+zFJyZ2jJc3rc2GRiOToVsg2wfWTSr8oSdIS1RjhcWrXby7RHaRtkk/FlK\
    jGUfSzm430+hSHJDqjL1TyB6oxjRfVGN6vVcNPT8jGlCrm7/uS7b6Pej6dt9qD7G6D9buV9HMVxYtNfI0f5dC7S/Yz\
    k2otWzjsHoRj+IEL4bif5wPP7u/HpvR4C4fcM5tbbHenq3RAOHRfy9Xe0/KtG9Kh/O02bNNKOjtbOMS8uTq6Hu/7qL\
    zZ3YaKN/vlydmAcqR0O3dnn8ebW+ROlGPbvf3+5OOjHEPNV6Icd3p9lEN3nEQ5ctmGXHQfTaTj+mXzdPVqfaQjzQan\
    n6Rt4z9ny2+3of2Qjrk93k8FfvDsbkhmM7PgdLfh7Vo57C6UYzg8KEfpBpoox7Y7ut0wOdx+qvZ4N2syia6oPG+/Kw\
    rO79OUtm/lcHL+Pk7JhPr0UJAIx9blPvt9ytRY/ebpcZLPyYxylIP1j3L8Hw==
    """)

  /// With the fixed codes of the format: the first 200 bytes of the text.
  private static let fixed = decoded(
    """
    y8nMS1UwUMhPUzDgygGxDUFsQwjbBMQ2grAtQWxjqBozEMcEwjEyBXFMIRxjsIwZVDtYjzmEYwY2zALCsQDbYgk1zQ\
    BsvyHMAUYQJ0DdYGgC1mhoBLMabKghzCWWYAsNTQA=
    """)

  /// 1 MiB of zeros.
  private static let zeros = decoded(
    "7cExAQAAAMKg9U9tCF+g" + String(repeating: "A", count: 1_355) + "+Aw==")

  private static func decoded(_ text: String) -> [UInt8] {
    Data(base64Encoded: text).map(Array.init) ?? []
  }

  @Test func dataOfZlibIsDecompressed() throws {
    #expect(try Inflate.decompressed(Self.dynamic, limit: 1 << 20) == Self.text)
    #expect(try Inflate.decompressed(Self.fixed, limit: 1 << 20) == Array(Self.text[..<200]))
    #expect(
      try Inflate.decompressed(Self.zeros, limit: 1 << 20) == [UInt8](repeating: 0, count: 1 << 20))
    let large = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(try Inflate.decompressed(stored(large), limit: 1 << 20) == large)
    #expect(try Inflate.decompressed(stored([]), limit: 0) == [])
  }

  @Test func aResultAboveTheLimitIsRefused() {
    for (bytes, limit) in [(Self.zeros, 1 << 20), (Self.dynamic, Self.text.count)] {
      #expect(throws: Inflate.Fault.tooLarge) {
        try Inflate.decompressed(bytes, limit: limit - 1)
      }
    }
    #expect(throws: Inflate.Fault.tooLarge) { try Inflate.decompressed(stored([1, 2]), limit: 1) }
  }

  @Test func everyShorterInputIsIncomplete() {
    for count in 0..<Self.dynamic.count {
      #expect(throws: Inflate.Fault.truncated) {
        try Inflate.decompressed(Array(Self.dynamic[..<count]), limit: 1 << 20)
      }
    }
  }

  @Test func changedBytesGiveAResultOrAFault() {
    for index in Self.dynamic.indices {
      var bytes = Self.dynamic
      bytes[index] ^= 1 << (index % 8)
      let result = try? Inflate.decompressed(bytes, limit: 1 << 16)
      #expect(result?.count ?? 0 <= 1 << 16)
    }
    #expect(throws: Inflate.Fault.invalid) { try Inflate.decompressed([7], limit: 9) }
  }
}
