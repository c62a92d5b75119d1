import GateModel
package import GateProtocol

/// A request that may need a person, after the first of its two steps.
public enum BegunRequest<Outcome: Sendable>: Sendable {
    /// Nobody has to be asked: this is what came of it.
    case settled(Outcome)
    /// A person has to be asked: show this. It is up to the caller to complete or dismiss it, or to wait for its closing.
    case open(OpenPresentation)

    /// The presentation to show; `nil`: nobody has to be asked.
    public var presentation: OpenPresentation? {
        switch self {
        case .settled: nil
        case .open(let open): open
        }
    }

    /// The outcome, after the presentation was shown and answered, and what comes after it too.
    ///
    /// - Parameter present: `nil`: this program can't show anything, and has said so in its request.
    func outcome(
        presenting present: PresentationHandler?,
        of completed: (PresentationCompletion) throws(GateError) -> Outcome
    ) async throws(GateError) -> Outcome {
        switch self {
        case .settled(let outcome): return outcome
        case .open(let open):
            guard let present else {
                throw GateError(.internal, .unspecified, "The daemon sent a question to a program that shows none.")
            }
            return try completed(try await open.answeredToTheEnd(by: present))
        }
    }
}

/// The result of an answer, or of the state having closed a presentation.
public struct PresentationCompletion: Sendable {
    /// The reply as it came.
    package let response: CompleteResponse
    /// The presentation to show next; `nil`: that was the last one.
    public let next: OpenPresentation?

    /// The revision of the state at which it was completed.
    public var revision: Revision { response.revision }
    /// The mode afterwards.
    public var mode: ModeState { response.state }
    /// The grant that was asked for; `nil`: it was no grant that was asked for, or more has to be shown before it.
    public var grant: Grant? {
        switch response.result {
        case .grant(let grant): grant
        case .next, .done, .unrecognized: nil
        }
    }

    init(_ response: CompleteResponse, of open: OpenPresentation) {
        self.response = response
        next =
            switch response.result {
            case .next(let next): OpenPresentation(next, open.origin, on: open.connection, of: open.shared)
            case .grant, .done, .unrecognized: nil
            }
    }
}

extension Presenting {
    /// Where a program wants the person to be asked that has this to show a question with, or nothing.
    init(_ present: PresentationHandler?) { self = present == nil ? .elsewhere : .elsewhereIfPossible }
}

extension GateClient {
    /// Makes a request that may need a person. If a presentation comes of it, this program shows it: it belongs to the connection that has
    /// asked for it. Otherwise the response says how the request ended, after a presenter has shown what was to be shown.
    ///
    /// - Parameter presenting: as the request says. The call takes as long as it takes, unless this program shows everything.
    package func begin<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, _ presenting: Presenting,
        presentation: (Response) -> Presentation?
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        let current = try await connection.connected()
        let timeout = presenting == .here ? options.callTimeout : nil
        let response = try await current.call(method, request, timeout: timeout, of: connection)
        let open = presentation(response).map { OpenPresentation($0, .requested, on: current, of: connection) }
        return (response, open)
    }
}
