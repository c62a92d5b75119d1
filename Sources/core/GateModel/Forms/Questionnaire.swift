/// A FHIR R4 Questionnaire: as much of it as decides what may be answered (F-27 … F-29). What people read of it beyond
/// that is in the resource itself.
public struct Questionnaire: Hashable, Sendable {
    /// The people who may complete a response.
    @nonexhaustive
    public enum CompletedBy: String, Hashable, Sendable, CaseIterable {
        /// Everybody who may fill it in.
        case anybody
        /// Somebody who has shown to be a grown-up: an administrator, a grown-up's presenter that shows it, or anyone
        /// who has answered a challenge for the same request.
        case grownUp = "grown-up"
    }

    /// A text of the label of a draft.
    @nonexhaustive
    public enum LabelPart: Hashable, Sendable {
        /// The answers to the question with this linkId.
        case answers(to: String)
        /// The result of an expression in FHIRPath, about the response.
        case result(of: String)
    }

    /// The resource's `id`, by which Gate knows it, like "consent".
    public var name: String
    /// The canonical URL.
    public var url: String?
    /// Its version; `nil`: it has none.
    public var version: String?
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// A longer text about the form, in each of its languages; `nil`: it has none.
    public var descriptions: LocalizedText?
    /// The same in its default language.
    public var description: String? { descriptions?.text }
    /// The people who may complete it.
    public var completedBy: CompletedBy
    /// Whether it is meant to be used just now.
    package var standing: QuestionnaireStanding
    /// The rules about the response as a whole.
    public var invariants: [QuestionnaireInvariant]
    /// The variables that all of its expressions may name. Each may name those before it.
    public var variables: [QuestionnaireVariable]
    /// The texts that tell one draft from another, in order (F-74). Empty: there are none.
    public var label: [LabelPart]
    /// In order (F-30). Not empty.
    public var items: [QuestionnaireItem]

    /// Makes a questionnaire of these values.
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

    /// Its items, at all depths.
    package var itemCount: Int { items.reduce(0) { $0 + $1.itemCount } }

    /// The meaning of its items, in whatever form they are asked: the parts that it takes are of these (F-72).
    package var definitions: Set<String> { items.reduce(into: []) { $1.collectDefinitions(into: &$0) } }

    /// The name that a response gives to what it answers: "https://example.org/consent|2".
    package var canonical: String? {
        url.map { url in version.map { "\(url)|\($0)" } ?? url }
    }
}

/// A group, a text, or a question (F-28).
public struct QuestionnaireItem: Hashable, Sendable {
    /// R4's item types; `question` is abstract there, and refused.
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
        /// One of what is offered.
        case choice
        /// One of what is offered, or a text.
        case openChoice = "open-choice"
        /// A document.
        case attachment
        /// A reference to another resource.
        case reference
        /// A number with a unit.
        case quantity

        /// Whether it takes answers.
        public var isQuestion: Bool {
            switch self {
            case .group, .display: false
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                true
            }
        }
    }

    /// How several conditions count together.
    @nonexhaustive
    public enum EnableBehavior: String, Hashable, Sendable, CaseIterable {
        /// All of them have to be true.
        case all
        /// One of them has to be true.
        case any
    }

    /// Unique in its questionnaire. Without `/`, `[` and `]`, which have a meaning in a `FormPath`.
    public var linkID: String
    /// Its type.
    public var kind: Kind
    /// R4's `definition`, a URI: what it means, in whatever form it is asked. Answers under one `definition` are shared as parts
    /// (F-72). `nil`: it means nothing elsewhere.
    public var definition: String?
    /// Before the text, in each of its languages: "1(a)".
    public var prefixes: LocalizedText?
    /// The same in its default language.
    public var prefix: String? { prefixes?.text }
    /// The text that people read, in each of its languages.
    public var texts: LocalizedText?
    /// The same in its default language: the one that responses repeat.
    public var text: String? { texts?.text }
    /// Empty: always enabled (F-38).
    public var enableWhen: [QuestionnaireEnableCondition]
    /// How its conditions count together.
    public var enableBehavior: EnableBehavior
    /// Whether it has to be answered.
    public var isRequired: Bool
    /// A question with several answers, or a group that is there several times (F-35).
    public var repeats: Bool
    /// Not for a person to change.
    public var isReadOnly: Bool
    /// Extension `questionnaire-hidden`: not for a person to see. Its value counts as any other.
    public var isHidden: Bool
    /// Our extension `one-line`: whether a group is shown in one line, with its answers (F-81). `nil`: that is up to the program that
    /// shows it.
    public var isInOneLine: Bool?
    /// The options of a choice, and of an integer, date, time or string that has only these. Empty: anything goes.
    public var options: [QuestionnaireAnswerOption]
    /// The answers that it has when the form is opened.
    public var initial: [FormValue]
    /// The limits of its answers.
    public var constraints: QuestionnaireItemConstraints
    /// Our extension `parents` (F-36, F-37): the questions that must have an answer before this one gets one, by linkId;
    /// where one of theirs changes, this one is cleared.
    public var parents: [String]
    /// The rules about it, each time that it is there.
    public var invariants: [QuestionnaireInvariant]
    /// The expressions that its answers and its being asked follow from (F-79).
    public var expressions: QuestionnaireItemExpressions
    /// Within a group, or below each answer of a question.
    public var items: [QuestionnaireItem]

    /// Makes an item of these values.
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
    /// It, and all that is in it.
    fileprivate var itemCount: Int { items.reduce(1) { $0 + $1.itemCount } }

    fileprivate func collectDefinitions(into definitions: inout Set<String>) {
        if let definition { definitions.insert(definition) }
        for item in items { item.collectDefinitions(into: &definitions) }
    }
}

/// When an item is there (F-38, F-42).
public struct QuestionnaireEnableCondition: Hashable, Sendable {
    /// The comparison that a condition makes.
    @nonexhaustive
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// Whether the question has an answer at all.
        case exists
        /// The answer is the value.
        case equal = "="
        /// The answer is another one.
        case notEqual = "!="
        /// The answer is greater.
        case greater = ">"
        /// The answer is less.
        case less = "<"
        /// The answer is greater, or the value.
        case greaterOrEqual = ">="
        /// The answer is less, or the value.
        case lessOrEqual = "<="
    }

    /// The linkId of the question that it hangs on.
    public var question: String
    /// The comparison with the answer.
    public var comparison: Operator
    /// The value that its answers are compared with; of `exists` a boolean.
    public var answer: FormValue

    /// Makes a condition of these values.
    package init(question: String, comparison: Operator, answer: FormValue) {
        self.question = question
        self.comparison = comparison
        self.answer = answer
    }
}

/// One of the answers that are offered.
public struct QuestionnaireAnswerOption: Hashable, Sendable {
    /// The value that can be chosen.
    public var value: FormValue
    /// Its words in each language that they were written in; an answer keeps the value alone. Empty: in one, which is not named.
    public var translations: [LocalizedText.Translation]
    /// Whether it is chosen at first.
    public var isInitiallySelected: Bool
    /// Extension `questionnaire-optionExclusive`: with it, nothing else may be chosen.
    public var isExclusive: Bool

    /// Makes an option of these values.
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

/// The constraints on an answer (F-43): R4's `maxLength`, and extensions.
public struct QuestionnaireItemConstraints: Hashable, Sendable {
    /// Extension `regex`: the whole answer has to match.
    public var pattern: String? { textPattern?.source }
    /// The same, as it is matched.
    package var textPattern: TextPattern?
    /// Our extension `mask`: the whole answer has to be as it says (F-77).
    public var mask: String? { textMask?.source }
    /// The same, as it is held against answers.
    package var textMask: TextMask?
    /// Extension `entryFormat`, in each of its languages: how to write it, for people.
    public var entryFormats: LocalizedText?
    /// The same in its default language.
    public var entryFormat: String? { entryFormats?.text }
    /// Extensions `minValue` and `maxValue`, of the item's own type.
    public var minimum: FormValue?
    /// The largest value; `nil`: there is no such limit.
    public var maximum: FormValue?
    /// The same as expressions in FHIRPath, which move with the day or with other answers; `nil`: there is no such limit.
    public var minimumExpression: String?
    /// The largest value, as an expression.
    public var maximumExpression: String?
    /// Extension `minLength`, and R4's `maxLength`: in Unicode scalars.
    public var minimumLength: Int?
    /// The longest text, in characters; `nil`: there is no such limit.
    public var maximumLength: Int?
    /// Extension `maxDecimalPlaces`.
    public var maximumDecimalPlaces: Int?
    /// Extensions `questionnaire-minOccurs` and `questionnaire-maxOccurs`, of what repeats.
    public var minimumOccurs: Int?
    /// The most answers; `nil`: there is no such limit.
    public var maximumOccurs: Int?
    /// Extension `maxSize` (in megabytes of 1,000,000 bytes there): of an attachment, in bytes.
    public var maximumBytes: Int?
    /// Extension `mimeType`, of an attachment: any of them. Empty: any at all.
    public var mediaTypes: [String]
    /// Extensions `questionnaire-unit` and `questionnaire-unitOption`, of a quantity. Empty: any.
    public var units: [FormCoding]

    /// Extension `questionnaire-referenceResource`, of a reference: the types of resource that it may lead to. Empty: any.
    public var referenceTypes: [String]
    /// The value set that its choices or units come from, which nobody has here, so that answers can't be held against it; `nil`: there
    /// is no such value set. Only of a form that responses are validated by, and never of one that is filled in.
    package var unknownValueSet: String?

    /// Makes constraints of these values.
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
    /// Its words, in each of their languages.
    public var texts: LocalizedText { LocalizedText(value.displayText, translations) }
}

extension QuestionnaireItem {
    /// The words of an answer, in the first of these languages that its option is in; else as the answer itself has them.
    ///
    /// - Parameter languages: BCP 47 tags, the preferred one first.
    public func text(of value: FormValue, for languages: [String]) -> String {
        options.first { $0.value == value }?.texts.text(for: languages) ?? value.displayText
    }
}

extension QuestionnaireItem {
    /// Whether what is in it is there several times: once for each time of a group, or for each answer.
    package var isContainer: Bool { repeats && (kind == .group || !items.isEmpty) }

    /// The answers that it begins with, fitting or not: its initial values, else the options that are selected from the start.
    package var statedInitialValues: [FormValue] {
        initial.isEmpty ? options.filter(\.isInitiallySelected).map(\.value) : initial
    }
}
