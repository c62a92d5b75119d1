import NIOConcurrencyHelpers
import NIOCore
import TTRPC

@testable import TTRPCTransport

/// A service for tests. Its methods are named after what they do; what happens to it can be waited for.
final class ScriptedService: TTRPCService {
    enum Event: Hashable, Sendable {
        case opened(connection: UInt64)
        case requested(method: String, streamID: UInt32)
        case ended(streamID: UInt32)
        case drained
        case closed(CloseReason?)
    }

    /// A message of "Flood", which sends sixteen for each of the number in the request.
    private let wave = SharedMessage([UInt8](repeating: 7, count: 4096))

    let refusal: Status?
    let events: EventLog<Event>
    private let lastCredentials = NIOLockedValueBox<PeerCredentials?>(nil)
    private let lastRequest = NIOLockedValueBox<IncomingRequest?>(nil)
    private let floods = NIOLockedValueBox<[UInt64: (streamID: UInt32, left: Int)]>([:])
    private let openConnections = NIOLockedValueBox<[UInt64: TTRPCServerConnection]>([:])

    init(refusal: Status? = nil) {
        self.refusal = refusal
        events = EventLog()
    }

    private let lookUpCount = NIOLockedValueBox(0)
    /// How often a method was looked up by its names.
    var lookUps: Int { lookUpCount.withLockedValue { $0 } }

    var credentials: PeerCredentials? { lastCredentials.withLockedValue { $0 } }
    var request: IncomingRequest? { lastRequest.withLockedValue { $0 } }
    func connection(_ id: UInt64 = 1) -> TTRPCServerConnection? { openConnections.withLockedValue { $0[id] } }

    func find(service: String, method: String) -> ServiceMethod? {
        guard service == "test.Script" else { return nil }
        lookUpCount.withLockedValue { $0 += 1 }
        switch method {
        case "Secret": return ServiceMethod(.unary, isSecret: true)
        case "Echo", "Fail", "Never", "Later", "Large", "Cancel", "Close": return ServiceMethod(.unary)
        case "Count", "Open", "Flood", "Break", "LargeMessage": return ServiceMethod(.serverStream)
        default: return nil
        }
    }

    func connectionOpened(_ connection: TTRPCServerConnection) -> Status? {
        lastCredentials.withLockedValue { $0 = connection.credentials }
        // A refused connection gives no later events, so that it could never be removed.
        if refusal == nil { openConnections.withLockedValue { $0[connection.id] = connection } }
        events.add(.opened(connection: connection.id))
        return refusal
    }

    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection) {
        lastRequest.withLockedValue { $0 = request }
        events.add(.requested(method: request.method, streamID: request.streamID))
        let streamID = request.streamID
        switch request.method {
        case "Echo", "Secret": connection.respond(streamID, payload: request.payload)
        case "Fail":
            let details = [TypedValue(typeURL: "type.googleapis.com/test.Detail", value: request.payload)]
            connection.fail(streamID, Status(.failedPrecondition, "as you asked", details: details))
        case "Large": connection.respond(streamID, payload: [UInt8](repeating: 1, count: 4 << 20))
        case "Cancel":
            let target = request.payload.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            endFlood(of: target, on: connection)
            connection.fail(target, Status(.cancelled, "cancelled by the client"))
            connection.respond(streamID, payload: [])
        case "Close":
            connection.respond(streamID, payload: request.payload)
            connection.close()
        case "Count":
            for number in 0..<(request.payload.first ?? 0) { connection.send(streamID, message: [number]) }
            connection.finish(streamID)
        case "Break":
            connection.send(streamID, message: [1])
            connection.fail(streamID, Status(.dataLoss, "broken off"))
        case "Flood":
            floods.withLockedValue { $0[connection.id] = (streamID, Int(request.payload.first ?? 0) * 16) }
            flood(connection)
        case "LargeMessage": connection.send(streamID, message: [UInt8](repeating: 1, count: (4 << 20) + 1))
        default: break  // "Never", "Later", "Open": the test answers
        }
    }

    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {
        endFlood(of: streamID, on: connection)
        events.add(.ended(streamID: streamID))
    }

    func connectionDrained(_ connection: TTRPCServerConnection) {
        events.add(.drained)
        flood(connection)
    }

    private func endFlood(of streamID: UInt32, on connection: TTRPCServerConnection) {
        floods.withLockedValue { if $0[connection.id]?.streamID == streamID { $0[connection.id] = nil } }
    }

    /// Goes on with the flood of this connection until it is backlogged or done.
    private func flood(_ connection: TTRPCServerConnection) {
        guard let flood = floods.withLockedValue({ $0[connection.id] }) else { return }
        let streamID = flood.streamID
        var left = flood.left
        while left > 0, !connection.isBacklogged {
            if !connection.sendAtOnce(streamID, shared: wave) { connection.send(streamID, shared: wave) }
            left -= 1
        }
        if left == 0 { connection.finish(streamID) }
        floods.withLockedValue { $0[connection.id] = left == 0 ? nil : (streamID, left) }
    }

    func connectionClosed(_ connection: TTRPCServerConnection) {
        openConnections.withLockedValue { $0[connection.id] = nil }
        events.add(.closed(connection.closeReason))
    }
}

/// What has happened, in order; a test can wait for what is to come.
final class EventLog<Event: Hashable & Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var waiting: [(event: Event, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = NIOLockedValueBox(State())

    var all: [Event] { state.withLockedValue { $0.events } }

    func add(_ event: Event) {
        let resumed = state.withLockedValue { state in
            state.events.append(event)
            defer { state.waiting.removeAll { $0.event == event } }
            return state.waiting.filter { $0.event == event }.map(\.continuation)
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Returns when `event` has happened, now or before.
    func wait(for event: Event) async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLockedValue { state in
                if state.events.contains(event) { return true }
                state.waiting.append((event, continuation))
                return false
            }
            if hasHappened { continuation.resume() }
        }
    }
}
