import Testing

@testable import QuickStart

@Suite struct SurveyTests {
  @Test func packagesAreCountedAndSummedBySection() {
    let survey = Survey([
      package("a", section: "libs", size: 10), package("b", section: "shells", size: 30),
      package("c", section: "libs", size: 25), package("d", section: nil, size: nil),
    ])
    #expect(survey.count == 4)
    #expect(survey.size == 65)
    #expect(survey.sections.map(\.name) == ["libs", "shells", "none"])
    #expect(survey.sections.map(\.count) == [2, 1, 1])
    #expect(survey.sections.map(\.size) == [35, 30, 0])
    #expect(survey.smallestSection?.name == "none")
  }

  @Test func theFiveBiggestAreInDescendingOrder() {
    let survey = Survey(
      (1...9).map { (size: Int) in package("p\(size)", section: "libs", size: size) })
    #expect(survey.biggest.map(\.id) == ["p9", "p8", "p7", "p6", "p5"])
  }

  @Test func hugeSizesDoNotOverflow() {
    let survey = Survey(["a", "b"].map { package($0, section: "libs", size: .max) })
    #expect(survey.size == .max)
  }

  @Test func anEmptyArchiveHasNoStatistics() {
    let survey = Survey([])
    #expect(survey.biggest.isEmpty)
    #expect(survey.smallestSection == nil)
  }

  private func package(_ id: String, section: String?, size: Int?) -> DebianPackage {
    let package = DebianPackage()
    package.id = id
    package.section = section.map(Section.init(named:))
    package.installedSize = size
    return package
  }
}
