import GateModel

/// The limits of a form and of a response.
public enum FormsLimits {
    // MARK: What is read

    /// The bytes of a questionnaire, and of answers without the bytes of attachments.
    public static let resourceBytes = 4 << 20
    /// The bytes of a response that brings its attachments along.
    public static let responseBytes = 32 << 20
    /// The bytes of one attachment.
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
    /// The options of one item.
    public static let options = 1000
    /// The conditions of one item.
    static let conditions = 100
    /// The questions whose answers make the label of a draft.
    static let labelParts = 8
    /// The parents of one item.
    static let parents = 100
    /// Different ones in one questionnaire; each may become a large program.
    static let patterns = 200
    /// The rules of one questionnaire that are expressions.
    static let invariants = 500
    /// The variables of one questionnaire.
    static let variables = 500
    /// How often something is there at most.
    static let occurs = 1000
    /// The bytes of its JSON, so that it fits into one message with what is around it.
    static let formBytes = 7 << 19
    /// Media types or units of one item.
    static let choices = 100

    // MARK: Texts, in bytes

    static let linkIDBytes = 255
    static let titleBytes = 1000
    /// The bytes of the URI that says what an item means.
    static let definitionBytes = 512
    static let entryFormatBytes = 1000
    /// The bytes of a value, as FHIR has it.
    static let textBytes = 1 << 20

    // MARK: Of an outcome, in bytes

    static let outcomeBytes = 1_000_000
    /// The bytes of one issue's text, and of its place.
    static let outcomeTextBytes = 2000

    // MARK: Texts, in characters

    /// The characters of a text that a message repeats.
    static let shownLength = 64
}
