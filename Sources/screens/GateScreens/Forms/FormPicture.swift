package import GateModel

/// A form on the screen: one page of it, and the ways to the others.
package struct FormPicture: Hashable, Sendable {
    /// One of the form's sections, for the row of steps at the top.
    package struct Step: Hashable, Sendable {
        package let title: String
        package let isCurrent: Bool
        /// Something in it is missing or wrong, as far as the person has come.
        package let needsAttention: Bool
        /// The step's words for a screen reader.
        package let spoken: String
    }

    /// The title of the form.
    package let title: String
    /// `Section 2 of 6`. Empty where there is nothing to count.
    package let position: String
    /// In order; the last one is the overview. Empty while the form is fetched.
    package let steps: [Step]
    /// The title of the page.
    package let heading: String
    /// Names the page: with another one, another page stands there, and it is read from its beginning.
    package let page: String
    /// The content of the page, in order.
    package let rows: [FormRow]
    /// The label of the button that leads back. Empty: there is none.
    package let back: String
    /// The label of the button that leads on, or completes. Empty: there is none.
    package let next: String
    /// Whether the button that leads on does so now.
    package let takesNext: Bool
    /// The deed of the button that leads on.
    package let forward: FormInput
    /// Whether fields can be filled in now.
    package let isEditable: Bool
    /// A line on what was wrong, or what goes on. May be empty.
    package let note: String
}

/// One thing on a page of a form.
package struct FormRow: Hashable, Sendable {
    /// The part that stays the same while the page is changed: a row is drawn anew only where its key is another one.
    package let key: String
    /// The content.
    package let content: Content

    /// The kinds of things that can stand there.
    package enum Content: Hashable, Sendable {
        /// A text to read.
        case text(String)
        /// The title of a group within the page.
        case heading(String)
        /// A question.
        case field(FormField)
        /// A group whose answers are shown in one line, and that has a page of its own.
        case line(FormLine)
        /// A group that is there several times.
        case table(FormTable)
        /// A section on the overview.
        case section(FormSectionSummary)
        /// A way to begin, by its place among all of them, and its words.
        case beginning(Int, String)
        /// The way to what was answered before.
        case parts(FormPartsOffer)
    }
}

/// A question of a form.
package struct FormField: Hashable, Sendable {
    package let path: FormPath
    package let label: String
    package let isRequired: Bool
    /// How it is answered, its limits, and why it can't be answered yet. May be empty.
    package let hint: String
    /// A line on what is wrong with the answer, or what others have answered meanwhile. May be empty.
    package let error: String
    /// Whether it can be answered now.
    package let isSensitive: Bool
    package let control: FormControl
    /// The answer in words. May be empty.
    package let answer: String
    /// A value from elsewhere, which stands beside it; `nil`: there is no such value.
    package let suggestion: FormSuggestion?

    /// The field's name for a screen reader.
    package var spokenName: String { isRequired ? FormWords.required(label) : label }
    /// The rest of its words.
    package var spokenText: String {
        [error, suggestion?.spokenText ?? "", hint].filter { !$0.isEmpty }.joined(separator: ". ")
    }
}

/// A value from elsewhere that stands beside a field, and moves nothing in it (F-75, F-76).
package enum FormSuggestion: Hashable, Sendable {
    /// It is being fetched; the words that say so.
    case beingFetched(String)
    /// It waits; the label of the button that takes it, and its answers.
    case waiting(String, [FormValue])

    var spokenText: String {
        switch self {
        case .beingFetched(let words): words
        case .waiting(let label, _): label
        }
    }
}

/// The way in which a question is answered.
package enum FormControl: Hashable, Sendable {
    /// Not at all: it is to be read.
    case fixed(String)
    /// Two buttons. Not a switch, which says no where nobody has said anything.
    case yesNo(Bool?)
    /// A field of one line.
    case entry(String, EntryKind)
    /// A field of several lines.
    case paragraph(String)
    /// A field of one line, and a calendar that shows this day and offers those within the limits.
    case date(String, shown: CivilDate?, limits: ClosedRange<CivilDate>)
    /// One or several of what is offered.
    case choice(FormChoice)
    /// A number, and one of the units that are offered.
    case quantity(String, units: [String], unit: Int)
    /// Documents that are attached, the media types that may be, and whether there may be one more.
    case documents([FormDocument], types: [String], takesMore: Bool)
    /// Several answers, what was typed for one more and refused, and whether there may be one more.
    case several([String], EntryKind, text: String, takesMore: Bool)

    /// The kind of what is typed.
    package enum EntryKind: Hashable, Sendable {
        case words
        /// Text whose field has the rest of it put in once it is left.
        case masked(TextMask)
        case number
        case address
        /// A date and a time, to which the time zone of the device belongs.
        case moment
    }
}

/// Answers to choose from.
package struct FormChoice: Hashable, Sendable {
    package let labels: [String]
    package let chosen: Set<Int>
    /// Whether one does not take the place of another.
    package let isMultiple: Bool
    /// The answer in the person's own words; `nil`: none is taken.
    package let other: String?
    /// The kind of what is typed there.
    package let otherKind: FormControl.EntryKind

    /// More than so many stand in a list that unfolds.
    package static let maximumInSight = 7
    /// More than so many are searched.
    package static let maximumUnsearched = 12

    /// Whether it stands in a list that unfolds.
    package var isFolded: Bool { !isMultiple && labels.count > Self.maximumInSight }
    /// Whether that list can be searched.
    package var isSearched: Bool { labels.count > Self.maximumUnsearched }
    /// Whether each one is taken back by the same press that chose it.
    package var isToggled: Bool { isMultiple || labels.count == 1 }
}

/// A document that is attached.
package struct FormDocument: Hashable, Sendable {
    package let name: String
    package let size: String
    package let digest: AttachmentDigest
    /// Whether it is a picture that can be shown.
    package let isPicture: Bool
}

/// A group in one line.
package struct FormLine: Hashable, Sendable {
    package let path: FormPath
    package let label: String
    /// `Anna Meier`; empty: nothing is answered.
    package let summary: String
    package let error: String
}

/// A group that is there several times.
package struct FormTable: Hashable, Sendable {
    package let label: String
    package let rows: [FormLine]
    /// The one that may be added; `nil`: there can be no more.
    package let added: FormPath?
    /// Whether one can be removed.
    package let takesRemoval: Bool
    package let error: String
}

/// A section on the overview.
package struct FormSectionSummary: Hashable, Sendable {
    package let index: Int
    package let title: String
    /// `Given name: Anna`
    package let answers: [String]
    /// `Date of birth: This has to be answered.`
    package let problems: [String]
}

/// Something that a person did with a form.
package enum FormInput: Hashable, Sendable {
    /// Chose a way to begin, by its place among all of them.
    case began(Int)
    /// Began to type: what others answer meanwhile takes nothing away.
    case edited(FormPath)
    /// Left a field, or pressed Return in it. An empty text takes the answer away.
    case typed(FormPath, String)
    /// Typed one more answer.
    case typedAnother(FormPath, String)
    case answered(FormPath, yes: Bool)
    /// Chose one of what is offered, or took it back; on the page of parts one of those.
    case chosen(FormPath, Int, isOn: Bool)
    /// Typed an answer that is not offered.
    case typedOther(FormPath, String)
    case measured(FormPath, String, unit: Int)
    /// Took the suggestion that stands beside the field: these answers, and no others.
    case took(FormPath, [FormValue])
    case attached(FormPath, FormDocumentFile)
    /// Chose a file that can't be read.
    case unreadable(FormPath, String)
    /// Took one of several answers away.
    case removedAnswer(FormPath, Int)
    case added(FormPath)
    case removed(FormPath)
    case opened(FormPath)
    /// Asked for what was answered before at this item.
    case askedForParts(FormPath)
    /// Takes the parts that are chosen.
    case tookParts
    case wentBack
    case wentOn
    /// Went to a section, counted from 0; behind the last one is the overview.
    case wentTo(Int)
    /// Completes what is shown: these answers, and no others.
    case completed(revision: UInt64)
}

/// A file that a person chose.
package struct FormDocumentFile: Hashable, Sendable {
    package let bytes: [UInt8]
    package let mediaType: String
    package let name: String

    /// Makes a file of these values.
    package init(bytes: [UInt8], mediaType: String, name: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.name = name
    }
}

/// The next thing to tell the daemon about a form.
package enum FormAction: Hashable, Sendable {
    /// Opens the draft to begin with.
    case begin(FormBeginning)
    /// Answers a question; nothing clears it.
    case set(FormPath, [FormValue])
    case attach(FormPath, FormDocumentFile)
    case remove(FormPath)
    /// Takes these parts into an item.
    case take(FormPath, [UInt64])
    /// Reads which parts there are.
    case listParts
    case complete(revision: UInt64)
}

/// A draft at one moment, and what would be wrong with it if it were completed.
package struct FormStanding: Hashable, Sendable {
    package let revision: UInt64
    package let response: QuestionnaireResponse
    package let issues: [FormIssue]
    /// The suggestions that are being fetched, or wait.
    package let pending: [PendingSuggestion]

    /// Makes a standing of these values.
    package init(
        revision: UInt64, response: QuestionnaireResponse, issues: [FormIssue], pending: [PendingSuggestion] = []
    ) {
        self.revision = revision
        self.response = response
        self.issues = issues
        self.pending = pending
    }
}
