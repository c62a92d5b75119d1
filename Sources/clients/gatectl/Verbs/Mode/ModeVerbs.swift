import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

// The verbs that change the mode (toggle, cancel, extend, lock and override), and the line in which gatectl prints it.

struct ToggleVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: localized("Enter parent mode after a question, or leave it at once."),
        discussion: localized(
            """
            The question is shown on another screen if there is one (`gatectl present`), otherwise on this terminal. \
            Escape or Ctrl-C dismisses it. If there is neither, and no --stdin, nobody can be asked: the status is 2, \
            and nothing changes.
            """),
        aliases: ["next"])

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var question: QuestionOptions

    func perform(_ session: Session) async throws(GateError) {
        let gate = session.gate
        let outcome = try await session.asking(readsStandardInput: question.stdin) { presenting throws(GateError) in
            try await gate.begin(Methods.Mode.toggle, ToggleRequest(presenting: presenting), presenting) {
                $0.presentation
            }
        }
        switch outcome {
        case .settled(let response): try session.output.mode(response, response.revision, response.state)
        case .answered(let response): try session.output.mode(response, response.revision, response.state)
        }
    }
}

struct CancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: localized("Withdraw the open question for parent mode."),
        discussion: localized(
            """
            If no question is open, nothing changes. Only administrators can withdraw another program's question.

            An administrator can close any presentation by its number: gatectl cancel 17. `gatectl watch --topic \
            presentations` prints the numbers. A closed sign-in cover stays away until somebody has signed in and out \
            again, or the policy is read again.
            """))

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp(
            localized("Close the presentation with this number instead (administrators)."), valueName: "presentation"))
    var presentation: UInt64?

    func perform(_ session: Session) async throws(GateError) {
        if let presentation {
            let response = try await session.gate.call(
                Methods.Presentations.withdraw, WithdrawRequest(id: presentation))
            return try session.output.result(
                response, at: response.revision, localized("closed {number}", ["number": "\(presentation)"]))
        }
        let response = try await session.gate.call(Methods.Mode.cancel, CancelVerifyingRequest())
        try session.output.mode(response, response.revision, response.state)
    }
}

struct ExtendVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: localized("Extend parent mode, after a question."),
        discussion: localized(
            """
            Administrators get no question. Otherwise it is shown on another screen if there is one (`gatectl \
            present`), else on this terminal. If there is neither, and no --stdin, nobody can be asked: the status is \
            2, and nothing changes.
            """))

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var question: QuestionOptions

    @Argument(
        help: ArgumentHelp(
            localized("How long parent mode lasts from now on, like 90s, 5m or 1h30m. Default: as the policy says.")),
        transform: DurationText.parse)
    var duration: Duration?

    func perform(_ session: Session) async throws(GateError) {
        let (gate, duration) = (session.gate, duration)
        let outcome = try await session.asking(readsStandardInput: question.stdin) { presenting throws(GateError) in
            let request = ExtendRequest(duration: duration, presenting: presenting)
            return try await gate.begin(Methods.Mode.extend, request, presenting) { $0.presentation }
        }
        switch outcome {
        case .settled(let response): try session.output.mode(response, response.revision, response.state)
        case .answered(let response): try session.output.mode(response, response.revision, response.state)
        }
    }
}

struct LockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: localized("Switch to child mode at once."),
        discussion: localized(
            """
            Administrators, and the user who entered parent mode, may do this as often as they like. Others may do it \
            three times, and once more after each hour (status 75). Another user's open question stays open (status \
            1).
            """))

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Mode.lock, LockRequest())
        try session.output.mode(response, response.revision, response.state)
    }
}

struct OverrideVerb: Verb {
    /// A mode that an administrator can set. `verifying` is a question, so it can't be set.
    enum Target: String, ExpressibleByArgument, CaseIterable {
        case child
        case parent

        var mode: Mode {
            switch self {
            case .child: .child
            case .parent: .parent
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "override", abstract: localized("Set the mode without a question (administrators)."))

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: ArgumentHelp(localized("The mode to set.")))
    var mode: Target

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            localized("How long parent mode lasts. Default: as the policy says."), valueName: "duration"),
        transform: DurationText.parse)
    var duration: Duration?

    @Option(help: ArgumentHelp(localized("The reason, for the journal; at most 200 bytes."), valueName: "text"))
    var reason: String

    func perform(_ session: Session) async throws(GateError) {
        let request = OverrideModeRequest(mode: mode.mode, duration: duration, reason: reason)
        let response = try await session.gate.call(Methods.Mode.override, request)
        try session.output.mode(response, response.revision, response.state)
    }
}

/// A mode as a line for people: `rev 42  parent  14:59 left`, or `rev 42  verifying  another question is shown first`.
struct ModeLine: Hashable {
    var revision: Revision
    var state: ModeState

    static func word(for mode: Mode) -> String {
        switch mode {
        case .child: localized("child")
        case .verifying: localized("verifying")
        case .parent: localized("parent")
        }
    }

    func text(now: BootTime, colours: Colours) -> String {
        var text = RevisionText.row(revision, colours.paint(Self.word(for: state.mode), for: state.mode))
        if let deadline = state.deadline {
            text += DurationWords.leftBehind(now.duration(to: deadline))
        } else if state.mode == .verifying {
            text += "  " + localized("another question is shown first")
        }
        return text
    }
}
