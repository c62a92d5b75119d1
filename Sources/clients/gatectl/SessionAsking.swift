import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

/// The result of a request that may need a person's answer.
enum AskingOutcome<Response: WireMessage>: Sendable {
    /// No question was needed, or another screen asked it.
    case settled(Response)
    /// This program asked the question.
    case answered(CompleteResponse)
}

extension Session {
    /// After this long, gatectl says what it is waiting for.
    private static var silence: Duration { .seconds(1) }

    /// Makes a request, and has a person asked if it needs that. With `--stdin` this program asks at once. Otherwise a
    /// presenter of the device asks; if none can, this program asks on its terminal, if there is one.
    ///
    /// - Parameter request: makes the request. Its argument says where the person is to be asked.
    /// - Throws: what the request throws; `CANCELLED` (`dismissed`) if the person gave up waiting.
    func asking<Response: WireMessage>(readsStandardInput: Bool, _ request: @escaping Beginning<Response>)
        async throws(GateError) -> AskingOutcome<Response>
    {
        let questioner = Questioner(readsStandardInput: readsStandardInput, output: output)
        let (response, open) = try await begun(readsStandardInput: readsStandardInput, questioner, request)
        guard let open, let questioner else { return .settled(response) }
        return .answered(try await questioner.ask(open, from: response))
    }

    typealias Beginning<Response> =
        @Sendable (Presenting) async throws(GateError) -> (response: Response, open: OpenPresentation?)

    /// The first half of `asking`. Returns the response, and the presentation that this program has to show, if any.
    func begun<Response: Sendable>(
        readsStandardInput: Bool, _ questioner: Questioner?, _ request: @escaping Beginning<Response>
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        guard !readsStandardInput else { return try await request(.here) }
        return try await waitingForOthers(saysSo: questioner != nil) { () throws(GateError) in
            try await request(questioner == nil ? .elsewhere : .elsewhereIfPossible)
        }
    }

    /// Waits for a call during which another screen may ask the person. Ctrl-C withdraws the request.
    ///
    /// - Parameter saysSo: whether to tell the person at this terminal, after `silence`, what this waits for.
    func waitingForOthers<Response: Sendable>(
        saysSo: Bool, _ call: @escaping @Sendable () async throws(GateError) -> Response
    ) async throws(GateError) -> Response {
        // Without a person at the terminal, a signal ends this program, and so the daemon withdraws the request.
        guard saysSo, let signals = DismissingSignals() else { return try await call() }
        defer { signals.stopCatching() }
        let note = Task { [output] in
            try await Task.sleep(for: Self.silence)
            output.note(localized("Waiting for the answer on another screen. (Ctrl-C takes the question back.)"))
        }
        defer { note.cancel() }
        let result = await withTaskGroup(of: Result<Response, GateError>?.self) { group in
            group.addTask {
                do throws(GateError) {
                    return .success(try await call())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await signals.wakeup.awoken()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw GateError(.cancelled, .dismissed, saying: localized("The question was taken back."))
        }
        return try result.get()
    }
}
