import GateModel
package import GateProtocol

/// A request that may need a person, after the first of its two steps.
public enum BegunRequest<Outcome: Sendable>: Sendable {
    /// No person has to be asked: this is the outcome.
    case settled(Outcome)
    /// A person has to be asked: show this. The caller has to complete or dismiss it, or wait for its closing.
    case open(OpenPresentation)

    /// The presentation to show; `nil` if no person has to be asked.
    public var presentation: OpenPresentation? {
        switch self {
        case .settled: nil
        case .open(let open): open
        }
    }

    /// Shows the presentation, if there is one, and those that follow from it, and returns the outcome.
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
                throw GateError(.internal, .unspecified, "The daemon sent a question to a program that can't show any.")
            }
            return try completed(try await open.answeredToTheEnd(by: present))
        }
    }
}

/// The result of an answer, or of a presentation that the state has closed.
public struct PresentationCompletion: Sendable {
    /// The daemon's reply.
    package let response: CompleteResponse
    /// The presentation to show next; `nil` if this was the last one.
    public let next: OpenPresentation?

    /// The revision of the state when the presentation was completed.
    public var revision: Revision { response.revision }
    /// The mode afterwards.
    public var mode: ModeState { response.state }
    /// The requested grant; `nil` if something else was requested, or more has to be shown first.
    public var grant: Grant? { response.grant }

    init(_ response: CompleteResponse, of open: OpenPresentation) {
        self.response = response
        next =
            switch response.result {
            case .next(let next): OpenPresentation(next, open.origin, on: open.connection)
            case .grant, .done, .unrecognized: nil
            }
    }
}

extension CompleteResponse {
    /// The requested grant; `nil` if something else was requested, or more has to be shown first.
    package var grant: Grant? {
        switch result {
        case .grant(let grant): grant
        case .next, .done, .unrecognized: nil
        }
    }
}

extension Presenting {
    /// Where to ask the person, for a program that has this to show questions with, or nothing.
    init(_ present: PresentationHandler?) { self = present == nil ? .elsewhere : .elsewhereIfPossible }
}

extension GateClient {
    /// Makes a request that may need a person. If the reply contains a presentation, this program has to show it, since
    /// it belongs to the connection of the request. Otherwise the reply is the outcome, after a presenter of the device
    /// has shown whatever was necessary.
    ///
    /// - Parameter presenting: the same as in the request. Unless it is `here`, the call waits for a person, without a
    ///   timeout.
    package func begin<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, _ presenting: Presenting,
        presentation: (Response) -> Presentation?
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        let current = try await connection.connected()
        let timeout = presenting == .here ? options.callTimeout : nil
        let response = try await current.call(method, request, timeout: timeout)
        let open = presentation(response).map { OpenPresentation($0, .requested, on: current) }
        return (response, open)
    }
}
