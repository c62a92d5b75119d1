import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// One request of one peer, to be answered with a `Response`, or, where the method is a stream, with many.
struct Call<Response: WireMessage> {
    /// Counts requests since the daemon started.
    let number: UInt64
    let request: IncomingRequest
    let session: PeerSession

    var peer: Peer { session.peer }
    var streamKey: StreamKey { StreamKey(connection: peer.connection, stream: request.streamID) }

    func answer(_ response: Response) {
        guard close() else { return }
        session.connection.respond(request.streamID, payload: response.encoded())
    }

    func fail(_ error: GateError) {
        guard close() else { return }
        session.connection.fail(request.streamID, error.status)
    }

    /// Late and harmless: false where the call has ended before its answer, and its id may be another call's by now.
    private func close() -> Bool {
        guard session.openCalls[request.streamID] == number else { return false }
        session.openCalls[request.streamID] = nil
        return true
    }

    /// Why this peer may not do what only an administrator may; nil: it may.
    func refusalToNonAdministrator(to what: String) -> GateError? {
        peer.roles.contains(.administrator)
            ? nil
            : GateError(
                .permissionDenied, .notPermitted,
                "Only an administrator may \(what): root, the user of gated, or a member of group "
                    + "\(RoleRules.administratorGroupName).")
    }
}

/// Decodes a request, calls the authority, encodes the answer, and nothing else. Each service adds its methods in a file
/// of its own.
struct Router: Sendable {
    typealias Handler = @Sendable (isolated Authority, UInt64, IncomingRequest, PeerSession) -> Void

    static let shared = Router()

    private(set) var handlers: [MethodName: Handler] = [:]

    struct MethodName: Hashable {
        let service: String
        let method: String
    }

    private init() {
        addMode()
        addPresentations()
        addWatch()
        addControl()
    }

    /// - Parameter number: counts requests since the daemon started.
    func route(
        _ number: UInt64, _ request: IncomingRequest, of session: PeerSession, to authority: isolated Authority
    ) {
        guard let handler = handlers[MethodName(service: request.service, method: request.method)] else {
            // The transport knows the same descriptors, and a test that each has a handler.
            preconditionFailure("\(request.service)/\(request.method) has no handler")
        }
        handler(authority, number, request, session)
    }

    /// A method, and what answers its call: now, later, or, for a stream, again and again.
    mutating func on<Request, Response>(
        _ method: Method<Request, Response>,
        _ body: @escaping @Sendable (isolated Authority, Request, Call<Response>) -> Void
    ) {
        handlers[MethodName(service: method.service, method: method.name)] = { authority, number, incoming, session in
            let call = Call<Response>(number: number, request: incoming, session: session)
            do throws(GateError) {
                body(authority, try Request(decoding: incoming.payload), call)
            } catch {
                call.fail(error)
            }
        }
    }

    /// A method that is a command of the core: answered when what it did is durable.
    mutating func onCommand<Request, Response>(
        _ method: Method<Request, Response>, _ command: @escaping @Sendable (Request) -> Command,
        answer: @escaping @Sendable (Authority.Settled) -> Response
    ) {
        on(method) { authority, request, call in
            authority.submit(command(request), as: call.peer) { result in
                switch result {
                case .failure(let error):
                    call.fail(error)
                case .success(let settled):
                    switch settled.transition.reply {
                    case .refused(let error): call.fail(error)
                    case .done, .presentation, .recovered: call.answer(answer(settled))
                    }
                }
            }
        }
    }
}

extension Authority.Settled {
    var revision: Revision { transition.revision }
    var modeState: ModeState { state.modeState }

    /// The presentation that the requester is to show.
    var presentation: Presentation? {
        switch transition.reply {
        case .presentation(let presentation): presentation
        case .done, .refused, .recovered: nil
        }
    }
}
