import GateModel
import GateTexts

/// The changes of presentations, a line for each that is new, goes on, or is gone (F-55).
struct PresentationLines {
    private var known: [PresentationSummary] = []

    /// - Parameter open: all that are open now, in the order in which they are shown.
    mutating func lines(for open: [PresentationSummary], revision: Revision, now: BootTime) -> [String] {
        defer { known = open }
        let gone = known.filter { old in !open.contains { $0.id == old.id } }
        let news = open.filter { !known.contains($0) }
        return gone.map { "rev \(revision)  \(Self.noun($0.kind)) \($0.id)  closed" }
            + news.map { "rev \(revision)  " + Self.text(of: $0, now: now) }
    }

    /// After the daemon was lost nothing is open.
    mutating func forget() {
        known = []
    }

    private static func text(of summary: PresentationSummary, now: BootTime) -> String {
        let asked = summary.asked
        let program = asked.program.isEmpty ? "" : " \(VisibleText.quoted(asked.program))"
        var columns = [
            "\(noun(summary.kind)) \(summary.id)", word(for: summary.stage), summary.kind.challenge?.rawValue,
            wish(of: summary), "uid \(asked.uid) pid \(asked.pid)\(program)",
            summary.deadline == .never ? nil : "\(DurationWords.clock(now.duration(to: summary.deadline))) left",
        ].compactMap(\.self)
        if summary.style == .fullScreenCover { columns.append("full screen") }
        return columns.joined(separator: "  ")
    }

    private static func noun(_ kind: Presentation.Kind) -> String {
        switch kind {
        case .challenge: "challenge"
        case .signIn, .paywall, .form, .whatsNew, .unrecognized: kind.name
        }
    }

    private static func word(for stage: Presentation.Stage) -> String {
        switch stage {
        case .waiting: "waiting"
        case .offered: "offered"
        case .claimed: "claimed"
        case .shown: "shown"
        }
    }

    private static func wish(of summary: PresentationSummary) -> String {
        switch summary.purpose {
        case .enterParentMode: "parent mode"
        case .extendParentMode: "more time in parent mode"
        case .signIn: "somebody to sign in"
        case .pay, .fillForm, .whatsNew, .unrecognized: AskedText(summary, for: []).title
        case .authorize:
            [summary.asked.gatedAction, summary.asked.details].filter { !$0.isEmpty }.map(VisibleText.line)
                .joined(separator: ": ")
        }
    }
}
