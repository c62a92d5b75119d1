import GateClient
import GateModel
import GateTexts

/// The asker, and what is asked for, as every presenter shows it.
struct AskedText {
    let asked: PresentationContext
    let purpose: Presentation.Purpose
    let kind: Presentation.Kind

    init(_ summary: PresentationSummary) {
        asked = summary.asked
        purpose = summary.purpose
        kind = summary.kind
    }

    /// The subject, in a few words.
    var title: String {
        switch purpose {
        case .enterParentMode: localized("Parent mode")
        case .extendParentMode: localized("More time in parent mode")
        case .authorize: VisibleText.line(asked.title.isEmpty ? asked.gatedAction : asked.title)
        case .signIn: localized("Sign in")
        case .pay, .fillForm, .whatsNew, .unrecognized: VisibleText.line(subject)
        }
    }

    /// The URL, the command line, the amount. May be empty.
    var details: String {
        switch purpose {
        case .pay, .fillForm, .whatsNew, .unrecognized: asked.details == subject ? "" : VisibleText.line(asked.details)
        case .enterParentMode, .extendParentMode, .authorize, .signIn: VisibleText.line(asked.details)
        }
    }

    /// The entitlement, the form or the app, by whichever of its names there is.
    private var subject: String {
        if let name = [asked.title, asked.details].first(where: { !$0.isEmpty }) { return name }
        switch purpose {
        case .pay: return localized("Something to be paid for")
        case .fillForm: return localized("A form")
        case .whatsNew: return localized("What's new")
        case .unrecognized: return localized("Something that this version does not know")
        case .enterParentMode, .extendParentMode, .authorize, .signIn: return ""
        }
    }

    /// `PresentationContext by anna, process 4242 (says it is "firefox").` The user and the number are the kernel's word; the name of the
    /// program is the program's own.
    var who: String {
        // That the policy wants somebody to sign in is nobody's wish.
        if purpose == .signIn { return localized("Asked by Gate itself, as its policy says.") }
        let user =
            LocalAccounts.userName(of: asked.uid).map(VisibleText.line)
            ?? localized("user {uid}", ["uid": "\(asked.uid)"])
        guard !asked.program.isEmpty else {
            return localized("Asked by {user}, process {process}.", ["user": user, "process": "\(asked.pid)"])
        }
        return localized(
            "Asked by {user}, process {process} (says it is {program}).",
            ["user": user, "process": "\(asked.pid)", "program": VisibleText.quoted(asked.program)])
    }

    /// The request to the person.
    var heading: String {
        switch (kind, purpose) {
        case (.signIn, _): localized("Somebody signs in:")
        case (.paywall, _): localized("This is to be paid for:")
        case (.challenge, .enterParentMode): localized("For parent mode, a grown-up answers:")
        case (.challenge, .extendParentMode): localized("For more time in parent mode, a grown-up answers:")
        case (.form, _): localized("This is to be filled in:")
        case (.whatsNew, _): localized("This is new:")
        case (.challenge, .authorize), (.challenge, .signIn), (.challenge, .pay), (.challenge, .fillForm),
            (.challenge, .whatsNew), (.challenge, .unrecognized):
            localized("A grown-up answers:")
        case (.unrecognized, _): localized("Somebody asks for something:")
        }
    }

    /// On a plain pipe: what others wrote stands on a line of its own, below Gate's words.
    func lines(colours: Colours) -> [String] {
        [colours.bold(title), who] + (details.isEmpty ? [] : [TextWidth.quote + details])
    }

    /// The title, and who asks, on a terminal.
    func headRows(colours: Colours, columns: Int) -> [String] {
        [colours.bold(title), who].flatMap { TextWidth.marked($0, columns: columns) }
    }

    /// The words of others: each row is marked.
    func detailRows(columns: Int) -> [String] {
        details.isEmpty ? [] : TextWidth.quoted(details, columns: columns)
    }
}
