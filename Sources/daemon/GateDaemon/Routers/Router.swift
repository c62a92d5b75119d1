import GateCore
import GateModel
import GateProtocol
import NIOCore
import TTRPC
import TTRPCTransport

/// Receives what happens on one listening socket from the transport: connections open and close, and each request is
/// handed to its handler. Called on the event loop of the authority.
final class PeerService: TTRPCService {
    private let served: Authority
    private let identify: @Sendable (PeerCredentials) -> PeerIdentity

    init(authority: Authority, identify: @escaping @Sendable (PeerCredentials) -> PeerIdentity) {
        served = authority
        self.identify = identify
    }

    /// The authority. Its parts that are not isolated may be used only on its event loop, which this checks.
    private var authority: Authority {
        served.eventLoop.preconditionInEventLoop()
        return served
    }

    func find(service: String, method: String) -> ServiceMethod? {
        guard let found = ServiceCatalog.find(service: service, method: method) else { return nil }
        let isSecret = authority.router.secretMethods.contains(found.number)
        return ServiceMethod(found.isServerStream ? .serverStream : .unary, number: found.number, isSecret: isSecret)
    }

    func account(of credentials: PeerCredentials) -> EventLoopFuture<BillingAccount>? {
        let identity = identify(credentials)
        let uid = identity.credentials.uid
        let isLookedUp = identity.givenOwner == nil
        let owner = isLookedUp ? authority.owners?.owner(of: uid) : nil
        let account =
            owner?.map { BillingAccount(number: $0.number) }
            ?? authority.eventLoop.makeSucceededFuture(
                BillingAccount(number: (identity.givenOwner ?? .user(uid)).number))
        return authority.recognition.refreshed()?.flatMap { account } ?? account
    }

    func connectionOpened(_ connection: TTRPCServerConnection) -> Status? {
        authority.sessions.opened(connection, identity: identify(connection.credentials))
    }

    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection) {
        let authority = authority
        guard let session = authority.sessions.session(of: connection) else { return }
        let context = authority.context
        context.lastRequest += 1
        let number = context.lastRequest
        session.programNamed(request.metadata, byteLimit: context.limits.programNameBytes)
        session.openCalls[request.streamID] = number
        authority.router.route(number, request, of: session)
    }

    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {
        authority.sessions.streamEnded(streamID, on: connection)
    }

    func connectionDrained(_ connection: TTRPCServerConnection) {
        authority.sessions.drained(connection)
    }

    func connectionClosed(_ connection: TTRPCServerConnection) {
        authority.sessions.closed(connection)
    }
}

/// One request of a peer, which is answered with one `Response`, or, if the method is a stream, with many. The
/// request's own contents are not kept, because the answer may take long.
struct Call<Response: WireMessage> {
    let caller: Caller

    var session: PeerSession { caller.session }
    var stream: UInt32 { caller.stream }
    var number: UInt64 { caller.number }
    var peer: Peer { session.peer }
    var streamKey: StreamKey { caller.key }

    /// - Parameter response: `nil` if no answer fits, which is a bug of ours.
    func answer(_ response: Response?) {
        guard let response else { return fail(.noFittingAnswer) }
        guard close() else { return }
        session.connection.respond(stream, payload: response.encoded())
    }

    func answer(_ response: Response, kept: KeptAnswer<Response>) {
        guard close() else { return }
        session.connection.respond(stream, payload: kept.encoded(response))
    }

    func fail(_ error: GateError) {
        guard close() else { return }
        session.connection.fail(stream, error.status)
    }

    private func close() -> Bool {
        guard session.openCalls.remove(number, for: stream) else { return false }
        session.watches?.catchUp()
        return true
    }

    /// Refuses what only an administrator may do. `nil` for an administrator.
    func refusalToNonAdministrator(to what: String) -> GateError? {
        peer.roles.contains(.administrator)
            ? nil
            : GateError(
                .permissionDenied, .notPermitted,
                "Only an administrator may \(what): root, the user of gated, or whom the policy names.",
                parameters: ["what": "administrator"])
    }
}

/// The last answer of a method, encoded. An equal answer is not encoded again. Confined to the event loop.
final class KeptAnswer<Response: WireMessage> {
    /// Empty or one element. An optional would be copied for the comparison.
    private var last: [Response] = []
    private var bytes: [UInt8] = []

    func encoded(_ response: Response) -> [UInt8] {
        if last.isEmpty || last[0] != response { (last, bytes) = ([response], response.encoded()) }
        return bytes
    }
}

/// The methods of one service. It decodes requests, calls the part that does the work, and encodes the answers.
protocol ServiceRouter {
    func addMethods(to router: inout Router)
}

/// Finds the handler of a request by the number of its method.
struct Router {
    typealias Handler = (UInt64, IncomingRequest, PeerSession) -> Void

    private let pipeline: CommandPipeline
    /// Indexed by the methods' numbers in `ServiceCatalog`.
    private(set) var handlers: [Handler?] = Array(repeating: nil, count: ServiceCatalog.methods.count)
    private(set) var secretMethods: Set<Int> = []

    init(_ pipeline: CommandPipeline, services: [any ServiceRouter]) {
        self.pipeline = pipeline
        for service in services { service.addMethods(to: &self) }
    }

    private mutating func add(
        _ service: String, _ method: String, isSecret: Bool, _ handle: @escaping Handler
    ) {
        guard let number = ServiceCatalog.find(service: service, method: method)?.number, handlers[number] == nil else {
            preconditionFailure("\(service)/\(method) is no method, or has two handlers")
        }
        handlers[number] = handle
        if isSecret { secretMethods.insert(number) }
    }

    func route(_ number: UInt64, _ request: IncomingRequest, of session: PeerSession) {
        guard let handle = handlers[request.found.number] else {
            // The transport accepts only methods of the catalog, and a test checks that each has a handler.
            preconditionFailure("\(request.service)/\(request.method) has no handler")
        }
        pipeline.context.statistics.called(request.found.number)
        handle(number, request, session)
    }

    /// With `isSecret`, requests contain a secret, and the bytes received are overwritten. `body` answers the call, now
    /// or later; for a stream, many times. An error that it throws is the answer.
    mutating func on<Request, Response>(
        _ method: Method<Request, Response>, isSecret: Bool = false,
        _ body: @escaping (Request, Call<Response>) throws(GateError) -> Void
    ) {
        // Most requests of a method are equal to the one before, and such a request is not decoded again. This is a
        // variable instead of a type, because ninety specialized types would have to be made at each start.
        var last: (bytes: [UInt8], request: Request)?
        func decoded(_ bytes: [UInt8]) throws(GateError) -> Request {
            if let last, last.bytes == bytes { return last.request }
            let request = try Request(decoding: bytes)
            // Longer requests rarely repeat, and secrets must not stay in memory.
            if !isSecret, bytes.count <= 256 { last = (bytes, request) }
            return request
        }
        add(method.service, method.name, isSecret: isSecret) { number, incoming, session in
            let call = Call<Response>(
                caller: Caller(session: session, stream: incoming.streamID, number: number))
            defer { if isSecret { incoming.wipePayload() } }
            do throws(GateError) {
                try body(try decoded(incoming.payload), call)
            } catch {
                call.fail(error)
            }
        }
    }

    /// Adds a method that is answered or refused at once.
    mutating func onRead<Request, Response>(
        _ method: Method<Request, Response>,
        _ read: @escaping (Request, Call<Response>) throws(GateError) -> Response
    ) {
        on(method) { request, call throws(GateError) in call.answer(try read(request, call)) }
    }

    /// Adds a method that is a command of the core. It is answered when its effect is durable.
    mutating func onCommand<Request, Response>(
        _ method: Method<Request, Response>, isSecret: Bool = false,
        _ command: @escaping (Request) -> Command, answer: @escaping (CommittedReply) -> Response?
    ) {
        on(method, isSecret: isSecret) { [pipeline] request, call in
            pipeline.submit(command(request), for: call, answer: answer)
        }
    }
}

extension CommandPipeline {
    /// Answers the call with the result. `answer` returns `nil` if the reply does not fit, which is a mistake in Gate.
    func submit<Response>(
        _ command: Command, for call: Call<Response>, answer: @escaping (CommittedReply) -> Response?
    ) {
        submit(command, for: call) { call.answer(answer($0)) }
    }

    /// `then` answers the call, unless the command is refused. `peer` is the peer that acts; `nil`: the caller.
    func submit<Response>(
        _ command: Command, as peer: Peer? = nil, for call: Call<Response>, prepared: FormPreparation? = nil,
        then: @escaping (CommittedReply) -> Void
    ) {
        submit(command, as: peer ?? call.peer, for: call.caller, prepared: prepared) { result in
            switch result {
            case .failure(let error):
                call.fail(error)
            case .success(let settled):
                if case .refused(let error) = settled.reply { call.fail(error) } else { then(settled) }
            }
        }
    }
}

extension CommittedReply {
    var modeState: ModeState { state.modeState }
    var signIn: SignInState { state.signIn }

    var presentation: Presentation? {
        guard case .presentation(let presentation) = reply else { return nil }
        return presentation
    }

    var paywallOutcome: PaywallOutcome? {
        guard case .entitled(let outcome) = reply else { return nil }
        return outcome
    }

    var count: Int? {
        guard case .count(let count) = reply else { return nil }
        return count
    }
}

extension IncomingRequest {
    /// Overwrites the payload with zeros in place, so that no secret is left in memory that is reused.
    fileprivate func wipePayload() {
        payload.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
    }
}

extension GateError {
    fileprivate static let noFittingAnswer = GateError(
        .internal, .failed, "gated has no answer that fits. This is a mistake in gated; please report it.")
}
