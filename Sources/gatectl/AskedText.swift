import GateClient
import GateModel

/// Who asks, and for what, as every presenter shows it.
struct AskedText {
    let asked: Asked
    let purpose: Presentation.Purpose

    init(_ summary: PresentationSummary) {
        asked = summary.asked
        purpose = summary.purpose
    }

    /// What it is about, in a few words.
    var title: String {
        switch purpose {
        case .enterParentMode: "Parent mode"
        case .extendParentMode: "More time in parent mode"
        case .authorize: VisibleText.line(asked.title.isEmpty ? asked.gatedAction : asked.title)
        }
    }

    /// The URL, the command line, the amount. May be empty.
    var details: String { VisibleText.line(asked.details) }

    /// `Asked by anna, process 4242 (says it is firefox).` The user and the number are the kernel's word; the name of the
    /// program is the program's own.
    var who: String {
        let user = LocalAccounts.userName(of: asked.uid).map(VisibleText.line) ?? "user \(asked.uid)"
        let program = asked.program.isEmpty ? "" : " (says it is \(VisibleText.line(asked.program)))"
        return "Asked by \(user), process \(asked.pid)\(program)."
    }

    /// What the person is asked for.
    var heading: String {
        switch purpose {
        case .enterParentMode: "For parent mode, a grown-up answers:"
        case .extendParentMode: "For more time in parent mode, a grown-up answers:"
        case .authorize: "A grown-up answers:"
        }
    }

    func lines(colours: Colours) -> [String] {
        [colours.bold(title)] + (details.isEmpty ? [] : ["  \(details)"]) + [who]
    }
}
