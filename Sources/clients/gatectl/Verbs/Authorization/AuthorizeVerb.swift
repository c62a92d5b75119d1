import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

struct AuthorizeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "authorize",
        abstract: localized("Ask for a gated action; status 0 allows it once."),
        discussion: """
            Without --redeemer, the grant is used up at once. For a script: gatectl authorize photos.delete --details \
            "$photo" && rm -- "$photo"

            With --redeemer, the proof of the grant is printed (with --json in base64, otherwise as digits), for \
            `gatectl redeem` or another program of that user. The grant lasts while this program runs: until the \
            reader of its output is gone, a minute at most. So use a pipe, and not $(…), which would wait for the end.

            If no presenter can show the question, this terminal does. If nobody can be asked, the status is 2.

            With --may-wait, a question that the policy lets wait (may-wait) stays if nobody answers: status 4. Run \
            the same command later to get the answer: status 0 or 1, or still 4.

            With --at-once, nobody is shown a question. If a person would have to do something first, the status is 2, \
            or 4 if the question waits.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("The gated action, as the policy names it: link.open.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gatedAction: String

    @Option(
        help: ArgumentHelp(
            "Exactly what will be done; shown to the person. One line, at most 4,096 bytes.", valueName: "text"))
    var details = ""

    @Option(
        help: ArgumentHelp("The user who may use the grant; a name or a uid.", valueName: "user"),
        transform: UserText.parse)
    var redeemer: UInt32?

    @OptionGroup var asking: SubjectOptions

    @Flag(help: "If nobody answers in time, let the question wait for a grown-up, if the policy allows that.")
    var mayWait = false

    @Flag(
        help: "Show nobody a question: the action is granted or refused at once, or the question waits for a grown-up.")
    var atOnce = false

    @OptionGroup var question: QuestionOptions

    func perform(_ session: Session) async throws(GateError) {
        var request = AuthorizationRequest(
            gatedAction: gatedAction, details: details, redeemer: redeemer, subject: try asking.found())
        request.mayWait = mayWait
        request.atOnce = atOnce
        guard redeemer != nil else {
            let response = try await session.authorize(request, readsStandardInput: question.stdin)
            return try session.output.result(
                response, at: response.revision, localized("granted {action}", ["action": gatedAction]))
        }
        let grant = try await session.grant(for: request, readsStandardInput: question.stdin)
        let response = AuthorizeResponse(
            revision: try await session.gate.control.ping().revision, result: .grant(grant))
        try session.output.result(response, Hex.encoded(grant.proof.bytes))
        // The grant ends with this program's connection, so stay while the proof may be needed. No grant lives longer
        // than this; the daemon decides when it ends.
        await ReaderOfOutput.waitUntilGone(atMost: Grant.lifetime)
    }

    /// A child asks for more time with a click (gate-more-time.desktop). Other programs say themselves what was refused.
    func showOnDesktop(_ error: GateError) {
        guard gatedAction == GatedAction.sessionTime,
            DesktopNotice.isNeeded(isReadByProgram: connection.json || question.stdin),
            let notice = RefusalNotice(error, .sessionTime)
        else { return }
        DesktopNotice.show(notice, details: details.isEmpty ? localized("More time at the computer") : details)
    }
}

/// Watches the program that reads standard output.
enum ReaderOfOutput {
    /// Returns when the other end of the pipe was closed, or after this time. A file or a terminal never reports that.
    static func waitUntilGone(atMost duration: Duration) async {
        guard let stop = Wakeup() else { return }
        let milliseconds = CInt(clamping: max(0, duration.millisecondsRoundedUp))
        await withTaskCancellationHandler {
            _ = await OwnThread.run {
                var descriptors = [
                    pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
                    pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                poll(&descriptors, nfds_t(descriptors.count), milliseconds)
            }
        } onCancel: {
            stop.wake()
        }
    }
}
