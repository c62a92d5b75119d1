import GateClient
import GateModel

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
        case .enterParentMode: "Parent mode"
        case .extendParentMode: "More time in parent mode"
        case .authorize: VisibleText.line(asked.title.isEmpty ? asked.gatedAction : asked.title)
        case .signIn: "Sign in"
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
        case .pay: return "Something to be paid for"
        case .fillForm: return "A form"
        case .whatsNew: return "What's new"
        case .unrecognized: return "Something that this version does not know"
        case .enterParentMode, .extendParentMode, .authorize, .signIn: return ""
        }
    }

    /// `PresentationContext by anna, process 4242 (says it is "firefox").` The user and the number are the kernel's word; the name of the
    /// program is the program's own.
    var who: String {
        // That the policy wants somebody to sign in is nobody's wish.
        if purpose == .signIn { return "Asked by Gate itself, as its policy says." }
        let user = LocalAccounts.userName(of: asked.uid).map(VisibleText.line) ?? "user \(asked.uid)"
        let program = asked.program.isEmpty ? "" : " (says it is \(VisibleText.quoted(asked.program)))"
        return "Asked by \(user), process \(asked.pid)\(program)."
    }

    /// The request to the person.
    var heading: String {
        switch (kind, purpose) {
        case (.signIn, _): "Somebody signs in:"
        case (.paywall, _): "This is to be paid for:"
        case (.challenge, .enterParentMode): "For parent mode, a grown-up answers:"
        case (.challenge, .extendParentMode): "For more time in parent mode, a grown-up answers:"
        case (.form, _): "This is to be filled in:"
        case (.whatsNew, _): "This is new:"
        case (.challenge, .authorize), (.challenge, .signIn), (.challenge, .pay), (.challenge, .fillForm),
            (.challenge, .whatsNew), (.challenge, .unrecognized):
            "A grown-up answers:"
        case (.unrecognized, _): "Somebody asks for something:"
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
