import GateClient
import GateModel
import GateScreens
import Testing

/// A form being filled in, with the daemon's part done by the test.
struct FormOnScreen {
    static let start = BootTime(nanoseconds: 1_000_000_000_000)
    static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    var screen: FormScreen
    private(set) var revision: UInt64 = 5

    init(_ items: [QuestionnaireItem], _ response: [QuestionnaireResponseItem], issues: [FormIssue] = []) {
        screen = FormScreen(
            Questionnaire(name: "test", title: "A test", items: items),
            FormStanding(revision: revision, response: Self.response(response), issues: issues), at: Self.start)
    }

    private static func response(_ items: [QuestionnaireResponseItem]) -> QuestionnaireResponse {
        QuestionnaireResponse(status: .inProgress, items: items)
    }

    /// Does something as the person, and returns what goes to the daemon.
    mutating func does(_ input: FormInput, at seconds: Double = 0) -> [FormAction] {
        screen.inputReceived(input, at: Self.seconds(seconds))
    }

    /// Another draft was read.
    mutating func reads(
        _ response: [QuestionnaireResponseItem], issues: [FormIssue] = [], pending: [PendingSuggestion] = [],
        isOwn: Bool = true, at seconds: Double = 0
    ) {
        revision += 1
        screen.draftRead(
            FormStanding(revision: revision, response: Self.response(response), issues: issues, pending: pending),
            isOwn: isOwn, at: Self.seconds(seconds))
    }

    func picture(at seconds: Double = 0) -> FormPicture { screen.picture(at: Self.seconds(seconds)) }

    func field(_ path: FormPath) throws -> FormField {
        try #require(fields.first { $0.path == path })
    }

    var fields: [FormField] {
        picture().rows.compactMap { row in
            switch row.content {
            case .field(let field): field
            case .text, .heading, .line, .table, .section, .beginning, .parts: nil
            }
        }
    }

    var lines: [FormLine] {
        picture().rows.compactMap { row in
            switch row.content {
            case .line(let line): line
            case .text, .heading, .field, .table, .section, .beginning, .parts: nil
            }
        }
    }

    var table: FormTable? {
        picture().rows.lazy.compactMap { row in
            switch row.content {
            case .table(let table): table
            case .text, .heading, .field, .line, .section, .beginning, .parts: nil
            }
        }.first
    }

    var offers: [FormPartsOffer] {
        picture().rows.compactMap { row in
            switch row.content {
            case .parts(let offer): offer
            case .text, .heading, .field, .line, .table, .section, .beginning: nil
            }
        }
    }

    var sections: [FormSectionSummary] {
        picture().rows.compactMap { row in
            switch row.content {
            case .section(let section): section
            case .text, .heading, .field, .line, .table, .beginning, .parts: nil
            }
        }
    }
}

extension QuestionnaireItem {
    /// A question.
    static func question(
        _ linkID: String, _ kind: Kind = .string, _ text: String? = nil, isRequired: Bool = false,
        repeats: Bool = false, isReadOnly: Bool = false, isHidden: Bool = false, options: [FormValue] = [],
        constraints: QuestionnaireItemConstraints = QuestionnaireItemConstraints(), parents: [String] = []
    ) -> QuestionnaireItem {
        QuestionnaireItem(
            linkID: linkID, kind: kind, text: LocalizedText(text ?? linkID), isRequired: isRequired, repeats: repeats,
            isReadOnly: isReadOnly, isHidden: isHidden, options: options.map { QuestionnaireAnswerOption($0) },
            constraints: constraints, parents: parents)
    }

    /// A group.
    static func group(
        _ linkID: String, repeats: Bool = false, _ items: [QuestionnaireItem],
        constraints: QuestionnaireItemConstraints = QuestionnaireItemConstraints()
    ) -> QuestionnaireItem {
        QuestionnaireItem(
            linkID: linkID, kind: .group, text: LocalizedText(linkID), repeats: repeats, constraints: constraints,
            items: items)
    }
}

extension QuestionnaireResponseItem {
    /// A question with its answers.
    static func answer(_ linkID: String, _ values: FormValue...) -> QuestionnaireResponseItem {
        QuestionnaireResponseItem(linkID: linkID, answers: values.map { QuestionnaireResponseAnswer($0) })
    }

    /// A group that is there.
    static func group(_ linkID: String, _ items: [QuestionnaireResponseItem]) -> QuestionnaireResponseItem {
        QuestionnaireResponseItem(linkID: linkID, items: items)
    }
}
