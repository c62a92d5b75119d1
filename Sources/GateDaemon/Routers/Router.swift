import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// One request of one peer, to be answered with a `Response`, or, where the method is a stream, with many. What came with it is
/// not kept: an answer may wait for long.
struct Call<Response: WireMessage> {
    let caller: Caller

    var session: PeerSession { caller.session }
    var stream: UInt32 { caller.stream }
    /// Counts requests since the daemon started.
    var number: UInt64 { caller.number }
    var peer: Peer { session.peer }
    var streamKey: StreamKey { caller.key }

    /// - Parameter response: nil where there is no answer that fits: a bug of ours.
    func answer(_ response: Response?) {
        guard let response else { return fail(.noFittingAnswer) }
        guard close() else { return }
        session.connection.respond(stream, payload: response.encoded())
    }

    func fail(_ error: GateError) {
        guard close() else { return }
        session.connection.fail(stream, error.status)
    }

    private func close() -> Bool {
        guard caller.isWaiting else { return false }
        session.openCalls[stream] = nil
        return true
    }

    /// Why this peer may not do what only an administrator may; nil: it may.
    func refusalToNonAdministrator(to what: String) -> GateError? {
        peer.roles.contains(.administrator)
            ? nil
            : GateError(
                .permissionDenied, .notPermitted,
                "Only an administrator may \(what): root, the user of gated, or whom the policy names.",
                parameters: ["what": "administrator"])
    }
}

/// Decodes a request, calls the authority, encodes the answer, and nothing else. Each service adds its methods in a file
/// of its own.
struct Router: Sendable {
    typealias Handler = @Sendable (isolated Authority, UInt64, IncomingRequest, PeerSession) -> Void

    static let shared = Router()

    private(set) var handlers: [MethodName: Entry] = [:]
    /// By their place in the statistics.
    private(set) var methods: [MethodName] = []

    struct Entry: Sendable {
        /// Its place among `methods`.
        let index: Int
        let handle: Handler
    }

    struct MethodName: Hashable {
        let service: String
        let method: String
    }

    private init() {
        addMode()
        addAuthorization()
        addSecrets()
        addSignIn()
        addEntitlements()
        addQuestionnaires()
        addReleaseNotes()
        addPresentations()
        addWatch()
        addControl()
        addBackups()
        addUnbuilt()
    }

    /// What is on the wire and not in this release.
    private mutating func addUnbuilt() {
        for method in UnbuiltMethod.all {
            add(MethodName(service: method.service, method: method.name)) { _, number, incoming, session in
                let call = Call<CancelResponse>(
                    caller: Caller(session: session, stream: incoming.streamID, number: number))
                call.fail(.notBuilt(method.capability))
            }
        }
    }

    private mutating func add(_ name: MethodName, _ handle: @escaping Handler) {
        handlers[name] = Entry(index: methods.count, handle: handle)
        methods.append(name)
    }

    /// - Parameter number: counts requests since the daemon started.
    func route(
        _ number: UInt64, _ request: IncomingRequest, of session: PeerSession, to authority: isolated Authority
    ) {
        guard let entry = handlers[MethodName(service: request.service, method: request.method)] else {
            // The transport knows the same descriptors, and a test that each has a handler.
            preconditionFailure("\(request.service)/\(request.method) has no handler")
        }
        authority.statistics.callsOfMethod[entry.index] += 1
        entry.handle(authority, number, request, session)
    }

    /// A method, and what answers its call: now, later, or, for a stream, again and again.
    /// - Parameter isSecret: its requests carry a secret; what came over the wire is wiped.
    mutating func on<Request, Response>(
        _ method: Method<Request, Response>, isSecret: Bool = false,
        _ body: @escaping @Sendable (isolated Authority, Request, Call<Response>) -> Void
    ) {
        let name = MethodName(service: method.service, method: method.name)
        add(name) { authority, number, incoming, session in
            let call = Call<Response>(
                caller: Caller(session: session, stream: incoming.streamID, number: number))
            defer { if isSecret { incoming.wipePayload() } }
            do throws(GateError) {
                body(authority, try Request(decoding: incoming.payload), call)
            } catch {
                call.fail(error)
            }
        }
    }

    /// A method that reads what is durable.
    mutating func onList<Request, Response>(
        _ method: Method<Request, Response>,
        _ list: @escaping @Sendable (isolated Authority, Request, Call<Response>) throws(GateError) -> Response
    ) {
        on(method) { authority, request, call in
            do throws(GateError) {
                call.answer(try list(authority, request, call))
            } catch {
                call.fail(error)
            }
        }
    }

    /// A method that is a command of the core: answered when what it did is durable.
    mutating func onCommand<Request, Response>(
        _ method: Method<Request, Response>, isSecret: Bool = false,
        _ command: @escaping @Sendable (Request) -> Command,
        answer: @escaping @Sendable (Authority.Settled) -> Response?
    ) {
        on(method, isSecret: isSecret) { authority, request, call in
            authority.submit(command(request), for: call, answer: answer)
        }
    }
}

extension Authority {
    /// A command that a call asks for.
    /// - Parameter answer: nil where the reply is none that fits.
    func submit<Response>(
        _ command: Command, for call: Call<Response>, answer: @escaping (Settled) -> Response?
    ) {
        submit(command, for: call) { call.answer(answer($0)) }
    }

    /// A command that a call asks for, which is answered by `then`.
    func submit<Response>(
        _ command: Command, for call: Call<Response>, prepared: FormPreparation? = nil,
        then: @escaping (Settled) -> Void
    ) {
        submit(command, as: call.peer, for: call.caller, prepared: prepared) { result in
            switch result {
            case .failure(let error):
                call.fail(error)
            case .success(let settled):
                switch settled.reply {
                case .refused(let error): call.fail(error)
                case .done, .presentation, .waiting, .granted, .entitled, .claimed, .form, .responded, .whatsNew,
                    .redeemed, .count, .recovered:
                    then(settled)
                }
            }
        }
    }
}

extension Authority.Settled {
    var modeState: ModeState { state.modeState }
    var signIn: SignInState { state.signIn }

    /// The presentation that the peer is to show.
    var presentation: Presentation? {
        guard case .presentation(let presentation) = reply else { return nil }
        return presentation
    }

    /// How asking for an entitlement went.
    var paywallOutcome: PaywallOutcome? {
        guard case .entitled(let outcome) = reply else { return nil }
        return outcome
    }

    /// How many there were.
    var count: Int? {
        guard case .count(let count) = reply else { return nil }
        return count
    }
}

extension IncomingRequest {
    /// Zeros, in place: what was typed is not to be found in memory that is used again.
    fileprivate func wipePayload() {
        payload.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
    }
}

extension GateError {
    fileprivate static let noFittingAnswer = GateError(
        .internal, .failed, "gated has no answer that fits. This is a mistake in gated; please report it.")
}
