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
