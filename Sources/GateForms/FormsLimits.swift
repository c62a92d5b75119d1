import GateModel

/// What a form, and what somebody answers, may have at most.
public enum FormsLimits {
    // MARK: What is read

    /// Of a questionnaire, and of answers without the bytes of attachments.
    public static let resourceBytes = 4 << 20
    /// Of a response that brings the bytes of its attachments along.
    public static let responseBytes = 32 << 20
    /// Of one attachment.
    public static let attachmentBytes = FormAttachment.maximumByteCount
    /// Objects and arrays inside one another: as deep as the deepest form, with questions below answers all the way.
    static let nesting = 160
    /// More than that nobody reads.
    static let problems = 100
    /// As many as are looked at before those are chosen, of each severity.
    static let foundProblems = 1000
    /// How many linkIds that there are not are told with the nearest one that there is.
    static let suggestions = 20
    /// More than that nobody reads.
    static let issues = 500

    // MARK: Of a questionnaire

    public static let items = 20_000
    /// Items inside one another.
    public static let itemDepth = 32
    /// Of one item.
    public static let options = 1000
    /// Of one item.
    static let conditions = 100
    /// Of one item.
    static let parents = 100
    /// Different ones in one questionnaire; each may become a large program.
    static let patterns = 200
    /// How often something is there at most.
    static let occurs = 1000
    /// Of its JSON, so that it fits into one message with what is around it.
    static let formBytes = 7 << 19
    /// Media types or units of one item.
    static let choices = 100

    // MARK: Texts, in bytes

    static let linkIDBytes = 255
    static let titleBytes = 1000
    static let entryFormatBytes = 1000
    /// Of a value, as FHIR has it.
    static let textBytes = 1 << 20

    // MARK: Of an outcome, in bytes

    static let outcomeBytes = 1_000_000
    /// Of what one issue says, and of where.
    static let outcomeTextBytes = 2000

    // MARK: Texts, in characters

    /// What a message repeats of a text.
    static let shownLength = 64
}
