import GateModel

/// The limits of a form that is being filled in, beside those of its policy.
enum FormBounds {
    /// How many times a group is there at most: as far as a `FormPath` counts.
    static let instances = FormPath.maximumInstanceCount
    /// How many answers a question has at most.
    static let answers = 1_000
    /// How many items there are beyond those of the form, since groups are there several times: for each further time of a
    /// group, the group and what is in it. They cost what reads them as much as answers do, also while they are empty.
    static let repeatedItems = 20_000
    /// UTF-8 bytes that all items take in a response, without their answers: with those it has to fit into one message.
    static let writtenByteCount = 3 << 20
    /// Steps that it takes to hold all answers of a form against the patterns of their questions.
    static let matchingSteps = 20_000_000
    /// Steps that expressions take together: all that follows from one edit, the limits of one answer, or all rules of a response.
    static let expressionSteps = 1_000_000
    /// The same for the label of a draft, and for suggestions that wait: they are looked at where everybody waits.
    static let labelSteps = 10_000
    /// Issues of a response that are found: more than are told to anybody, so that it can be told that there are more.
    static let issues = 501
    /// UTF-8 bytes of one text, as FHIR has it.
    static let textByteCount = 1 << 20
    /// Issues that a refusal tells.
    static let toldIssues = 5
}
