import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

/// The outcome of a request that may need a person.
enum AskingOutcome<Response: WireMessage>: Sendable {
    /// Nobody had to be asked, or another screen asked them.
    case settled(Response)
    /// This program asked them.
    case answered(CompleteResponse)
}

extension Session {
    /// After how long a person is told what is waited for.
    private static var silence: Duration { .seconds(1) }

    /// Has a person asked, if one is needed. With `--stdin` this program asks at once. Otherwise a presenter of the device asks; if none can
    /// and there is a terminal, this program asks there.
    ///
    /// - Parameters:
    ///   - request: makes the request, with where the person is to be asked.
    /// - Throws: what the request throws; `CANCELLED` (`dismissed`) where the person gave up waiting.
    func asking<Response: WireMessage>(readsStandardInput: Bool, _ request: @escaping Beginning<Response>)
        async throws(GateError) -> AskingOutcome<Response>
    {
        let questioner = Questioner(readsStandardInput: readsStandardInput, output: output)
        let (response, open) = try await begun(readsStandardInput: readsStandardInput, questioner, request)
        guard let open, let questioner else { return .settled(response) }
        return .answered(try await questioner.ask(open, from: response))
    }

    /// A call that makes a request. Its argument says where the person is to be asked.
    typealias Beginning<Response> =
        @Sendable (Presenting) async throws(GateError) -> (response: Response, open: OpenPresentation?)

    /// The first half of `asking`: the response, and the presentation that this program has to show.
    func begun<Response: Sendable>(
        readsStandardInput: Bool, _ questioner: Questioner?, _ request: @escaping Beginning<Response>
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        guard !readsStandardInput else { return try await request(.here) }
        return try await waitingForOthers(saysSo: questioner != nil) { () throws(GateError) in
            try await request(questioner == nil ? .elsewhere : .elsewhereIfPossible)
        }
    }

    /// Ctrl-C takes the request back.
    ///
    /// - Parameter saysSo: a person waits, who is told what for.
    func waitingForOthers<Response: Sendable>(
        saysSo: Bool, _ call: @escaping @Sendable () async throws(GateError) -> Response
    ) async throws(GateError) -> Response {
        // Anyone who is not at a terminal ends this program as any other, which takes the request back too.
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
