import GateModel

/// The limits of a form and of a response. Each number is the most that there may be.
public enum FormsLimits {
    // MARK: What is read

    /// The bytes of a questionnaire, or of answers without the bytes of attachments.
    public static let resourceBytes = 4 << 20
    /// The bytes of a response that contains its attachments.
    public static let responseBytes = 32 << 20
    public static let attachmentBytes = FormAttachment.maximumByteCount
    /// How deep objects and arrays may be nested: enough for the deepest form, with each question below an answer.
    static let nesting = 160
    /// Problems that are reported; nobody reads more.
    static let problems = 100
    /// Errors that are collected, and as many other findings. The reported ones (`problems`) are chosen among them.
    static let foundProblems = 1000
    /// How often the nearest known word is looked for, to suggest it for an unknown one.
    static let suggestions = 20
    /// Issues that are reported of a response; nobody reads more.
    static let issues = 500

    // MARK: Of a questionnaire

    public static let items = 20_000
    /// How deep items may be nested.
    public static let itemDepth = 32
    /// The options of one item.
    public static let options = 1000
    /// The conditions of one item.
    static let conditions = 100
    /// The parts of a draft's label: answers to questions, and results of expressions.
    static let labelParts = 8
    /// The parents of one item.
    static let parents = 100
    /// Different regular expressions of one questionnaire; each may become a large program.
    static let patterns = 200
    /// The rules of one questionnaire that are expressions.
    static let invariants = 500
    static let variables = 500
    /// The highest 'questionnaire-minOccurs', and the most initial values of an item.
    static let occurs = 1000
    /// The bytes of a form's JSON, so that it fits into one message together with the rest.
    static let formBytes = 7 << 19
    /// Media types or units of one item.
    static let choices = 100

    // MARK: Texts, in bytes

    static let linkIDBytes = 255
    static let titleBytes = 1000
    /// The bytes of the URI that says what an item means.
    static let definitionBytes = 512
    static let entryFormatBytes = 1000
    /// The bytes of a value, as in FHIR.
    static let textBytes = 1 << 20

    // MARK: Of an outcome, in bytes

    static let outcomeBytes = 1_000_000
    /// The bytes of one issue's text, and of its path.
    static let outcomeTextBytes = 2000

    // MARK: Texts, in characters

    /// The characters of a text that a message repeats.
    static let shownLength = 64
}
