package import GateModel

/// A form on the screen: one of its pages, and the ways to the others.
package struct FormPicture: Hashable, Sendable {
    /// One of the form's sections, in the row of steps at the top.
    package struct Step: Hashable, Sendable {
        package let title: String
        package let isCurrent: Bool
        /// Whether something is wrong in it, or missing after the person has left it once.
        package let needsAttention: Bool
        package let spoken: String
    }

    package let title: String
    /// `Section 2 of 6`. Empty if there is only one section, and on other pages.
    package let position: String
    /// In their order; the last one is the overview. Empty while the form is being fetched, and on the page that asks
    /// how to begin.
    package let steps: [Step]
    package let heading: String
    /// The identity of the page. If it changes, another page is shown, from its top.
    package let page: String
    package let rows: [FormRow]
    /// The label of the button that leads back. Empty if there is none.
    package let back: String
    /// The label of the button that leads on, or completes the form. Empty if there is none.
    package let next: String
    package let takesNext: Bool
    /// What the button `next` does.
    package let forward: FormInput
    package let isEditable: Bool
    /// A line on what was wrong, or what is going on. May be empty.
    package let note: String
}

/// One thing on a page of a form.
package struct FormRow: Hashable, Sendable {
    /// The identity of the row, which does not change with its content: only a row with another key is made anew.
    package let key: String
    package let content: Content

    package enum Content: Hashable, Sendable {
        case text(String)
        case heading(String)
        case field(FormField)
        /// A group whose answers are shown in one line. It has a page of its own.
        case line(FormLine)
        case table(FormTable)
        /// A section, on the overview.
        case section(FormSectionSummary)
        /// A way to begin with the form: its index among all ways, and its text.
        case beginning(Int, String)
        case parts(FormPartsOffer)
    }
}

package struct FormField: Hashable, Sendable {
    package let path: FormPath
    package let label: String
    package let isRequired: Bool
    /// How to answer, the limits of the answer, and why it can't be answered yet. May be empty.
    package let hint: String
    /// What is wrong with the answer, or what others have answered meanwhile. May be empty.
    package let error: String
    package let isSensitive: Bool
    package let control: FormControl
    /// The answer as a text. May be empty.
    package let answer: String
    /// A suggested answer beside the field; `nil` if there is none.
    package let suggestion: FormSuggestion?

    package var spokenName: String { isRequired ? FormWords.required(label) : label }
    /// What a screen reader says besides the name.
    package var spokenText: String {
        [error, suggestion?.spokenText ?? "", hint].filter { !$0.isEmpty }.joined(separator: ". ")
    }
}

/// A suggested answer beside a field. It changes the field only after the person has taken it.
package enum FormSuggestion: Hashable, Sendable {
    /// It is being fetched. The text says so.
    case beingFetched(String)
    /// It is there: the label of the button that takes it, and the answers.
    case waiting(String, [FormValue])

    var spokenText: String {
        switch self {
        case .beingFetched(let words): words
        case .waiting(let label, _): label
        }
    }
}

package enum FormControl: Hashable, Sendable {
    /// A text to read. The question can't be answered here.
    case fixed(String)
    /// Two buttons. A switch would say no before anybody has answered.
    case yesNo(Bool?)
    case entry(String, EntryKind)
    case paragraph(String)
    /// A field of one line, and a calendar that shows this day and offers the days within the limits.
    case date(String, shown: CivilDate?, limits: ClosedRange<CivilDate>)
    case choice(FormChoice)
    /// A number, and the units with the index of the chosen one.
    case quantity(String, units: [String], unit: Int)
    /// The attached documents, the allowed media types (empty: all), and whether another document can be added.
    case documents([FormDocument], types: [String], takesMore: Bool)
    /// Several answers, the text that was typed for another one and refused, and whether another one can be added.
    case several([String], EntryKind, text: String, takesMore: Bool)

    /// What is typed into a field of one line.
    package enum EntryKind: Hashable, Sendable {
        case words
        /// Text with a mask, whose missing characters are added when the field is left.
        case masked(TextMask)
        case number
        case address
        /// A date and a time, to which the device's time zone is added.
        case moment
    }
}

package struct FormChoice: Hashable, Sendable {
    package let labels: [String]
    package let chosen: Set<Int>
    package let isMultiple: Bool
    /// The answer in the person's own words; `nil` if the question does not take one.
    package let other: String?
    /// What can be typed there.
    package let otherKind: FormControl.EntryKind

    /// If there are more options and only one can be chosen, they are in a list that unfolds.
    package static let maximumInSight = 7
    /// If there are more options, the list can be searched.
    package static let maximumUnsearched = 12

    package var isFolded: Bool { !isMultiple && labels.count > Self.maximumInSight }
    package var isSearched: Bool { labels.count > Self.maximumUnsearched }
    /// Whether pressing a chosen option again removes it.
    package var isToggled: Bool { isMultiple || labels.count == 1 }
}

package struct FormDocument: Hashable, Sendable {
    package let name: String
    package let size: String
    package let digest: AttachmentDigest
    /// Whether it is a picture that Gate can show.
    package let isPicture: Bool
}

package struct FormLine: Hashable, Sendable {
    package let path: FormPath
    package let label: String
    /// `Anna Meier`. Empty if nothing is answered.
    package let summary: String
    package let error: String
}

/// A group that repeats.
package struct FormTable: Hashable, Sendable {
    package let label: String
    package let rows: [FormLine]
    /// The path of the instance that the button adds; `nil` if there can't be another one.
    package let added: FormPath?
    package let takesRemoval: Bool
    package let error: String
}

package struct FormSectionSummary: Hashable, Sendable {
    package let index: Int
    package let title: String
    /// `Given name: Anna`
    package let answers: [String]
    /// `Date of birth: This has to be answered.` before anything was answered. It is no mistake yet.
    package let missing: [String]
    /// `Date of birth: This has to be answered.`
    package let problems: [String]
}

/// What a person did on the screen of a form.
package enum FormInput: Hashable, Sendable {
    /// Chose a way to begin, by its index among all ways.
    case began(Int)
    /// Began to type. An answer that others give meanwhile is reported, and does not replace the text.
    case edited(FormPath)
    /// Left a field, or pressed Return in it. An empty text clears the answer.
    case typed(FormPath, String)
    case typedAnother(FormPath, String)
    case answered(FormPath, yes: Bool)
    /// Chose an option, or removed it. On the page of earlier answers, a box there.
    case chosen(FormPath, Int, isOn: Bool)
    case typedOther(FormPath, String)
    case measured(FormPath, String, unit: Int)
    /// Took the suggestion beside the field. It is dropped if the suggestion has other answers by now.
    case took(FormPath, [FormValue])
    case attached(FormPath, FormDocumentFile)
    /// Chose a file that can't be read, and why.
    case unreadable(FormPath, String)
    case removedAnswer(FormPath, Int)
    case added(FormPath)
    case removed(FormPath)
    case opened(FormPath)
    case askedForParts(FormPath)
    case tookParts
    case wentBack
    case wentOn
    /// Went to a section, counted from 0. The index behind the last section is the overview.
    case wentTo(Int)
    /// Completed the form as it is shown, by its revision.
    case completed(revision: UInt64)
}

package struct FormDocumentFile: Hashable, Sendable {
    package let bytes: [UInt8]
    package let mediaType: String
    package let name: String

    package init(bytes: [UInt8], mediaType: String, name: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.name = name
    }
}

/// What the program has to do for the form: most of it is a call to the daemon.
package enum FormAction: Hashable, Sendable {
    /// Open the draft that this way begins with.
    case begin(FormBeginning)
    /// Set the answers of a question. An empty list clears them.
    case set(FormPath, [FormValue])
    case attach(FormPath, FormDocumentFile)
    case remove(FormPath)
    /// Take these parts into an item.
    case take(FormPath, [UInt64])
    case listParts
    case complete(revision: UInt64)
}

/// A draft at one moment, and the issues that it would have if it were completed.
package struct FormStanding: Hashable, Sendable {
    package let revision: UInt64
    package let response: QuestionnaireResponse
    package let issues: [FormIssue]
    /// The suggestions that are being fetched, or wait for the person.
    package let pending: [PendingSuggestion]

    package init(
        revision: UInt64, response: QuestionnaireResponse, issues: [FormIssue], pending: [PendingSuggestion] = []
    ) {
        self.revision = revision
        self.response = response
        self.issues = issues
        self.pending = pending
    }
}
