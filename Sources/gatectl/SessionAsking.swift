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

    /// Has a person asked, if one is needed. With `--stdin` this program asks at once. On a terminal the presenters of the
    /// device come first, and where none of them can show it, this program does. Without either they alone can.
    ///
    /// - Parameters:
    ///   - elsewhere: asks for it without presenting anything, and waits.
    ///   - here: asks for it and gets the question, if there is one.
    /// - Throws: what both throw; `CANCELLED` (`dismissed`) where the person gave up waiting.
    func asking<Response: WireMessage>(
        readsStandardInput: Bool, elsewhere: @escaping @Sendable () async throws(GateError) -> Response,
        here: () async throws(GateError) -> (response: Response, open: OpenPresentation?)
    ) async throws(GateError) -> AskingOutcome<Response> {
        let questioner = Questioner(readsStandardInput: readsStandardInput, output: output)
        if !readsStandardInput {
            do throws(GateError) {
                return .settled(try await waitingForOthers(saysSo: questioner != nil, elsewhere))
            } catch {
                guard error.reason == .noPresenter else { throw error }
                guard questioner != nil else { throw error }
            }
        }
        guard let questioner else { preconditionFailure("without a questioner the call above has thrown or returned") }
        let (response, open) = try await here()
        guard let open else { return .settled(response) }
        return .answered(try await questioner.ask(open, from: response))
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
