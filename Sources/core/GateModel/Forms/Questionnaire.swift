/// A form: what Gate itself needs of a FHIR R4 Questionnaire. A program that shows the form also gets the complete
/// resource (`FormDescription.json`).
public struct Questionnaire: Hashable, Sendable {
    /// Who may complete a response to the form.
    @nonexhaustive
    public enum CompletedBy: String, Hashable, Sendable, CaseIterable {
        /// Everybody who may fill it in.
        case anybody
        /// Only somebody who has proved to be a grown-up: an administrator, the user of a grown-up's presenter that
        /// shows the form, or somebody who answered a challenge of the same request on the same screen.
        case grownUp = "grown-up"
    }

    /// A part of the text by which a person tells drafts of the form apart.
    @nonexhaustive
    public enum LabelPart: Hashable, Sendable {
        /// The answers to the question with this linkId.
        case answers(to: String)
        /// The result of a FHIRPath expression about the response.
        case result(of: String)
    }

    /// The name by which Gate knows the form, like "consent": the `id` of the resource.
    public var name: String
    /// The canonical URL; `nil` if the form has none.
    public var url: String?
    /// The version; `nil` if the form has none.
    public var version: String?
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// A longer text about the form, in each of its languages; `nil` if there is none.
    public var descriptions: LocalizedText?
    /// A longer text about the form, in its default language; `nil` if there is none.
    public var description: String? { descriptions?.text }
    /// Who may complete a response to the form.
    public var completedBy: CompletedBy
    /// Whether the form is meant to be used at the moment.
    package var standing: QuestionnaireStanding
    /// The rules about the response as a whole.
    public var invariants: [QuestionnaireInvariant]
    /// The variables that all expressions of the form may use. Each variable may use those before it.
    public var variables: [QuestionnaireVariable]
    /// The parts of the text that tells one draft from another, in order. Empty if the form defines none.
    public var label: [LabelPart]
    /// The items at the top level, in the order to ask them. Not empty.
    public var items: [QuestionnaireItem]

    package init(
        name: String, url: String? = nil, version: String? = nil, title: LocalizedText,
        description: LocalizedText? = nil, completedBy: CompletedBy = .anybody,
        standing: QuestionnaireStanding = QuestionnaireStanding(), invariants: [QuestionnaireInvariant] = [],
        variables: [QuestionnaireVariable] = [], label: [LabelPart] = [], items: [QuestionnaireItem]
    ) {
        self.name = name
        self.url = url
        self.version = version
        titles = title
        descriptions = description
        self.completedBy = completedBy
        self.standing = standing
        self.invariants = invariants
        self.variables = variables
        self.label = label
        self.items = items
    }

    /// The number of items at all levels.
    package var itemCount: Int { items.reduce(0) { $0 + $1.itemCount } }

    /// The `definition`s of all items. The form can use parts that were kept under these.
    package var definitions: Set<String> { items.reduce(into: []) { $1.collectDefinitions(into: &$0) } }

    /// How responses name the form, like "https://example.org/consent|2"; `nil` if it has no URL.
    package var canonical: String? {
        url.map { url in version.map { "\(url)|\($0)" } ?? url }
    }
}

/// An item of a form: a group, a text to read, or a question.
public struct QuestionnaireItem: Hashable, Sendable {
    /// The item types of FHIR R4, except the abstract `question`, which is refused.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Items that belong together.
        case group
        /// A text to read.
        case display
        /// A yes or no.
        case boolean
        /// A decimal number.
        case decimal
        /// A whole number.
        case integer
        /// A date.
        case date
        /// A moment.
        case dateTime
        /// A time of day.
        case time
        /// A text of one line.
        case string
        /// A text of several lines.
        case text
        /// A web address.
        case url
        /// One of the options that are offered.
        case choice
        /// One of the options that are offered, or a text that the person types.
        case openChoice = "open-choice"
        /// A document.
        case attachment
        /// A reference to another resource.
        case reference
        /// A number with a unit.
        case quantity

        /// Whether items of this kind take answers.
        public var isQuestion: Bool {
            switch self {
            case .group, .display: false
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                true
            }
        }
    }

    /// How several conditions of an item are combined.
    @nonexhaustive
    public enum EnableBehavior: String, Hashable, Sendable, CaseIterable {
        /// All of them have to be true.
        case all
        /// One of them has to be true.
        case any
    }

    /// Unique in its form. Contains none of `/`, `[` and `]`, which have a meaning in a `FormPath`.
    public var linkID: String
    /// What kind of item this is, and so which answers it takes.
    public var kind: Kind
    /// The `definition` of FHIR R4, a URI that says what the item means in any form. Answers under one `definition` are
    /// kept as parts, which other forms can use. `nil` if the item has no meaning elsewhere.
    public var definition: String?
    /// A short text before the text, like "1(a)", in each of its languages; `nil` if there is none.
    public var prefixes: LocalizedText?
    /// The short text before the text, in its default language; `nil` if there is none.
    public var prefix: String? { prefixes?.text }
    /// The text that people read, in each of its languages; `nil` if there is none.
    public var texts: LocalizedText?
    /// The text in its default language, which responses repeat; `nil` if there is none.
    public var text: String? { texts?.text }
    /// The conditions under which the item is enabled. Empty if it always is.
    public var enableWhen: [QuestionnaireEnableCondition]
    /// How the conditions are combined.
    public var enableBehavior: EnableBehavior
    /// Whether it has to be answered.
    public var isRequired: Bool
    /// Whether the question takes several answers, or the group can be there several times.
    public var repeats: Bool
    /// Whether a person can't change the answer.
    public var isReadOnly: Bool
    /// Extension `questionnaire-hidden`: whether the item is not shown to a person. Its answers count all the same.
    public var isHidden: Bool
    /// Our extension `one-line`: whether a group is shown in one line; `nil` if the program that shows it decides.
    public var isInOneLine: Bool?
    /// The options of a choice, or the only allowed values of an integer, date, time or string. Empty: no such list.
    public var options: [QuestionnaireAnswerOption]
    /// The answers that the item has when a form is begun.
    public var initial: [FormValue]
    /// The limits of its answers.
    public var constraints: QuestionnaireItemConstraints
    /// Our extension `parents`: the linkIds of the questions that must be answered before this one. If one of those
    /// answers changes, the answer to this one is cleared.
    public var parents: [String]
    /// The rules about the item, which hold for each of its repetitions.
    public var invariants: [QuestionnaireInvariant]
    /// The expressions that give its answers and decide whether it is asked.
    public var expressions: QuestionnaireItemExpressions
    /// The items in a group, or below each answer of a question.
    public var items: [QuestionnaireItem]

    package init(
        linkID: String, kind: Kind, definition: String? = nil, prefix: LocalizedText? = nil, text: LocalizedText? = nil,
        enableWhen: [QuestionnaireEnableCondition] = [],
        enableBehavior: EnableBehavior = .all, isRequired: Bool = false, repeats: Bool = false,
        isReadOnly: Bool = false, isHidden: Bool = false, isInOneLine: Bool? = nil,
        options: [QuestionnaireAnswerOption] = [],
        initial: [FormValue] = [],
        constraints: QuestionnaireItemConstraints = QuestionnaireItemConstraints(), parents: [String] = [],
        invariants: [QuestionnaireInvariant] = [],
        expressions: QuestionnaireItemExpressions = QuestionnaireItemExpressions(), items: [QuestionnaireItem] = []
    ) {
        self.linkID = linkID
        self.kind = kind
        self.definition = definition
        prefixes = prefix
        texts = text
        self.enableWhen = enableWhen
        self.enableBehavior = enableBehavior
        self.isRequired = isRequired
        self.repeats = repeats
        self.isReadOnly = isReadOnly
        self.isHidden = isHidden
        self.isInOneLine = isInOneLine
        self.options = options
        self.initial = initial
        self.constraints = constraints
        self.parents = parents
        self.invariants = invariants
        self.expressions = expressions
        self.items = items
    }
}

extension QuestionnaireItem {
    fileprivate var itemCount: Int { items.reduce(1) { $0 + $1.itemCount } }

    fileprivate func collectDefinitions(into definitions: inout Set<String>) {
        if let definition { definitions.insert(definition) }
        for item in items { item.collectDefinitions(into: &definitions) }
    }
}

/// A condition under which an item is enabled, and so asked.
public struct QuestionnaireEnableCondition: Hashable, Sendable {
    /// How a condition compares.
    @nonexhaustive
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// The question has an answer or, if the value is false, has none.
        case exists
        /// An answer is equal to the value.
        case equal = "="
        /// No answer is equal to the value.
        case notEqual = "!="
        /// An answer is greater than the value.
        case greater = ">"
        /// An answer is less than the value.
        case less = "<"
        /// An answer is greater than or equal to the value.
        case greaterOrEqual = ">="
        /// An answer is less than or equal to the value.
        case lessOrEqual = "<="
    }

    /// The linkId of the question whose answers are compared.
    public var question: String
    /// How the answers are compared.
    public var comparison: Operator
    /// The value that the answers are compared with. For `exists` it is a boolean.
    public var answer: FormValue

    package init(question: String, comparison: Operator, answer: FormValue) {
        self.question = question
        self.comparison = comparison
        self.answer = answer
    }
}

/// An answer that a question offers.
public struct QuestionnaireAnswerOption: Hashable, Sendable {
    /// The value of the answer if this option is chosen.
    public var value: FormValue
    /// The text in each language in which it was written; an answer contains only the value. Empty if it is in one
    /// language only, which is not named.
    public var translations: [LocalizedText.Translation]
    /// Whether the option is chosen when a form is begun.
    public var isInitiallySelected: Bool
    /// Extension `questionnaire-optionExclusive`: whether nothing else may be chosen together with it.
    public var isExclusive: Bool

    package init(
        _ value: FormValue, translations: [LocalizedText.Translation] = [], isInitiallySelected: Bool = false,
        isExclusive: Bool = false
    ) {
        self.value = value
        self.translations = translations
        self.isInitiallySelected = isInitiallySelected
        self.isExclusive = isExclusive
    }
}

/// The limits on the answers to an item: `maxLength` of FHIR R4, and extensions. A limit that is `nil` does not exist.
public struct QuestionnaireItemConstraints: Hashable, Sendable {
    /// Extension `regex`: the regular expression that the whole answer has to match.
    public var pattern: String? { textPattern?.source }
    package var textPattern: TextPattern?
    /// Our extension `mask`: the mask that the whole answer has to match.
    public var mask: String? { textMask?.source }
    package var textMask: TextMask?
    /// Extension `entryFormat`: tells a person how to write the answer, in each of its languages.
    public var entryFormats: LocalizedText?
    /// Tells a person how to write the answer, in its default language.
    public var entryFormat: String? { entryFormats?.text }
    /// Extension `minValue`: the smallest value, which has the type of the answers.
    public var minimum: FormValue?
    /// Extension `maxValue`: the largest value, which has the type of the answers.
    public var maximum: FormValue?
    /// The smallest value as a FHIRPath expression, so that it can depend on the day or on other answers.
    public var minimumExpression: String?
    /// The largest value as a FHIRPath expression, so that it can depend on the day or on other answers.
    public var maximumExpression: String?
    /// Extension `minLength`: the shortest text, in Unicode scalars.
    public var minimumLength: Int?
    /// FHIR's `maxLength`: the longest text, in Unicode scalars.
    public var maximumLength: Int?
    /// Extension `maxDecimalPlaces`: the most digits after the decimal point.
    public var maximumDecimalPlaces: Int?
    /// Extension `questionnaire-minOccurs`: the fewest answers or repetitions of an item that repeats.
    public var minimumOccurs: Int?
    /// Extension `questionnaire-maxOccurs`: the most answers or repetitions of an item that repeats.
    public var maximumOccurs: Int?
    /// Extension `maxSize`: the largest document, in bytes. (The extension itself counts megabytes of 1,000,000 bytes.)
    public var maximumBytes: Int?
    /// Extension `mimeType`: the allowed types of a document. Empty if all are allowed.
    public var mediaTypes: [String]
    /// Extensions `questionnaire-unit` and `questionnaire-unitOption`: a quantity's allowed units. Empty: all.
    public var units: [FormCoding]

    /// Extension `questionnaire-referenceResource`: the types of resource that a reference may lead to. Empty: all.
    public var referenceTypes: [String]
    /// The value set with the choices or units, if the device does not have it, so that answers can't be checked
    /// against it. Only set for a form that is used to validate responses, never for one that is filled in.
    package var unknownValueSet: String?

    package init(
        pattern: TextPattern? = nil, mask: TextMask? = nil, entryFormat: LocalizedText? = nil,
        minimum: FormValue? = nil, maximum: FormValue? = nil, minimumExpression: String? = nil,
        maximumExpression: String? = nil,
        minimumLength: Int? = nil, maximumLength: Int? = nil, maximumDecimalPlaces: Int? = nil,
        minimumOccurs: Int? = nil, maximumOccurs: Int? = nil, maximumBytes: Int? = nil, mediaTypes: [String] = [],
        units: [FormCoding] = [], referenceTypes: [String] = []
    ) {
        textPattern = pattern
        textMask = mask
        entryFormats = entryFormat
        self.minimum = minimum
        self.maximum = maximum
        self.minimumExpression = minimumExpression
        self.maximumExpression = maximumExpression
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.maximumDecimalPlaces = maximumDecimalPlaces
        self.minimumOccurs = minimumOccurs
        self.maximumOccurs = maximumOccurs
        self.maximumBytes = maximumBytes
        self.mediaTypes = mediaTypes
        self.units = units
        self.referenceTypes = referenceTypes
    }
}

extension QuestionnaireAnswerOption {
    /// The text that people read, in each of its languages.
    public var texts: LocalizedText { LocalizedText(value.displayText, translations) }
}

extension QuestionnaireItem {
    /// The text of an answer for somebody who reads these languages: BCP 47 tags, the preferred one first. If no option
    /// has the value, it is the value's own text.
    public func text(of value: FormValue, for languages: [String]) -> String {
        options.first { $0.value == value }?.texts.text(for: languages) ?? value.displayText
    }
}

extension QuestionnaireItem {
    /// Whether it can contain items several times: once for each repetition of a group, or for each answer.
    package var isContainer: Bool { repeats && (kind == .group || !items.isEmpty) }

    /// The answers that the item states for the beginning, even if they do not fit: its initial values, or, if it has
    /// none, the options that are chosen at first.
    package var statedInitialValues: [FormValue] {
        initial.isEmpty ? options.filter(\.isInitiallySelected).map(\.value) : initial
    }
}
