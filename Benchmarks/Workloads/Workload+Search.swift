extension Workload {
  static let search = [
    Workload(
      "S1", "insert articles with a search index in one transaction", start: .new, target: 1.3
    ) { count in
      let articles = PlainArticle.make(count / 2)
      return Steps(
        measured: .insertArticles(articles),
        check: .searchArticles(PlainArticle.searches(100, of: articles)), operations: count / 2)
    },
    Workload(
      "S2", "awaited searches for two words, with 20 articles in the order of their scores",
      target: 1.3, isOfSingleOperations: true
    ) { count in
      let articles = PlainArticle.make(count / 2)
      return Steps(
        before: [.insertArticles(articles)],
        measured: .searchArticles(PlainArticle.searches(count / 100, of: articles)),
        operations: count / 100)
    },
    Workload(
      "S3", "saves of articles with a search index one by one", start: .new, target: 1.3,
      isOfSingleOperations: true
    ) { saves($0, areObserved: false) },
    Workload(
      "S3o", "the same with an observer of the articles", start: .new, isOfSingleOperations: true
    ) { saves($0, areObserved: true) },
    Workload("S4", "create a search index again", start: .reopened, target: 1.3) { count in
      let articles = PlainArticle.make(count / 2)
      return Steps(
        before: [.insertArticles(articles)], measured: .rebuildSearchIndex,
        operations: count / 2)
    },
    Workload(
      "S5", "find the 20 nearest of all vectors of 384 numbers", target: 1.3
    ) { count in
      Steps(
        before: [.insertPassages(PlainPassage.make(count))],
        measured: .findNearest(PlainPassage.searches(3)), operations: 3 * count)
    },
  ]

  private static func saves(_ count: Int, areObserved: Bool) -> Steps {
    Steps(
      before: [.insertArticles(PlainArticle.make(count / 10))],
      measured: .saveArticles(
        PlainArticle.make(count / 50, from: count / 10), areObserved: areObserved),
      operations: count / 50)
  }
}
