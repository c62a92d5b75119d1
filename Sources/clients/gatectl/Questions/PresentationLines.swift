import GateModel
import GateTexts

/// Turns changes of presentations into lines, one for each that is new, was changed, or is gone.
struct PresentationLines {
    private var known: [PresentationSummary] = []

    /// - Parameter open: in the order in which they are shown.
    mutating func lines(for open: [PresentationSummary], revision: Revision, now: BootTime) -> [String] {
        defer { known = open }
        let gone = known.filter { old in !open.contains { $0.id == old.id } }
        let news = open.filter { !known.contains($0) }
        return gone.map { RevisionText.row(revision, "\(Self.noun($0.kind)) \($0.id)  \(localized("closed"))") }
            + news.map { RevisionText.row(revision, Self.text(of: $0, now: now)) }
    }

    /// Call it when the daemon is lost: nothing is open then.
    mutating func forget() {
        known = []
    }

    private static func text(of summary: PresentationSummary, now: BootTime) -> String {
        let asked = summary.asked
        let program = asked.program.isEmpty ? "" : " \(VisibleText.quoted(asked.program))"
        var columns = [
            "\(noun(summary.kind)) \(summary.id)", word(for: summary.stage),
            summary.kind.challenge.map(ChallengeWords.name),
            purpose(of: summary),
            asked.device.isEmpty
                ? "uid \(asked.uid) pid \(asked.pid)\(program)\(AuditLine.through(asked.broker))"
                : localized("on {device}", ["device": VisibleText.line(asked.device)]) + program,
            summary.deadline == .never ? nil : DurationWords.left(now.duration(to: summary.deadline)),
        ].compactMap(\.self)
        if let provider = summary.provider { columns.append(EntitlementText.name(of: provider)) }
        switch summary.style {
        case .fullScreenCover: columns.append(localized("full screen"))
        case .sheet: if summary.kind == .paywall { columns.append(localized("sheet")) }
        }
        return columns.joined(separator: "  ")
    }

    private static func noun(_ kind: Presentation.Kind) -> String {
        switch kind {
        case .challenge: localized("challenge")
        case .signIn: localized("sign-in")
        case .paywall: localized("paywall")
        case .form: localized("form")
        case .whatsNew: localized("whats-new")
        case .unrecognized: localized("unrecognized")
        }
    }

    private static func word(for stage: Presentation.Stage) -> String {
        switch stage {
        case .waiting: localized("waiting")
        case .offered: localized("offered")
        case .claimed: localized("claimed")
        case .shown: localized("shown")
        }
    }

    private static func purpose(of summary: PresentationSummary) -> String {
        switch summary.purpose {
        case .enterParentMode: localized("parent mode")
        case .extendParentMode: localized("more time in parent mode")
        case .signIn: localized("somebody to sign in")
        case .pay, .fillForm, .whatsNew, .unrecognized: AskedText(summary, for: []).title
        case .authorize:
            summary.asked.details.isEmpty
                ? VisibleText.line(summary.asked.gatedAction)
                : ListText.pair(VisibleText.line(summary.asked.gatedAction), VisibleText.line(summary.asked.details))
        }
    }
}
