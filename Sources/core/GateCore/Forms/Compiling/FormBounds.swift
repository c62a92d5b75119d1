import GateModel

/// The limits of a form that is being filled in, besides its own.
enum FormBounds {
    /// The most instances of a group: as many as a `FormPath` can count.
    static let instances = FormPath.maximumInstanceCount
    /// The most answers of a question.
    static let answers = 1_000
    /// The most items in repeated instances beyond the first: for each further instance, the group and everything in
    /// it. Even while they are empty, they cost their readers as much as answers do.
    static let repeatedItems = 20_000
    /// The most UTF-8 bytes of all items in a response, without answers. With answers it has to fit into one message.
    static let writtenByteCount = 3 << 20
    /// The most steps to match all answers of a form with the patterns of their questions.
    static let matchingSteps = 20_000_000
    /// The most steps of all expressions together in one edit, in one answer's limits, or in all rules of a response.
    static let expressionSteps = 1_000_000
    /// The most steps of expressions in a draft's label, or for waiting suggestions: other commands wait meanwhile.
    static let labelSteps = 10_000
    /// The most issues that are collected for a response: one more than are reported, to tell that there are more.
    static let issues = 501
    /// The most UTF-8 bytes of one text, as in FHIR.
    static let textByteCount = 1 << 20
    /// The most issues in a refusal's message.
    static let toldIssues = 5
}
