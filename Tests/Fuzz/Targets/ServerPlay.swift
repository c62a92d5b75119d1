import GateProtocol
import TTRPC

/// A server's machine with a service that makes no mistakes, and a list of what is open that is kept beside it.
struct ServerPlay {
    var machine = ServerConnectionStateMachine(limits: FrameFeed.limits)
    private(set) var open: [UInt32: MethodKind] = [:]
    /// What came of each frame.
    private(set) var log: [ServerConnectionStateMachine.FrameAction] = []
    private var feed = FrameFeed()
    private var choices: Choices
    /// The last request that was delivered, by its bytes.
    private var known: (bytes: [UInt8], kind: MethodKind)?

    init(_ choices: Choices) {
        self.choices = choices
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) throws {
        for event in try feed.take(bytes) {
            switch event {
            case .frame(let header, let data):
                let isKnown = header.type == .request && known?.bytes == Array(data)
                let action =
                    if isKnown, let known {
                        machine.knownRequestReceived(header.streamID, to: known.kind)
                    } else {
                        data.withUnsafeBytes { machine.frameReceived(header, $0) }
                    }
                try received(action, header.streamID, Array(data))
            case .tooLarge(let header):
                try received(machine.frameTooLarge(header), header.streamID)
            }
            try serve()
            try promise(machine.openStreamCount == open.count, "\(machine.openStreamCount) streams, not \(open.count)")
            try promise(machine.openStreamCount <= FrameFeed.limits.maximumStreams, "too many streams")
        }
    }

    private mutating func received(
        _ action: ServerConnectionStateMachine.FrameAction, _ streamID: UInt32, _ data: [UInt8] = []
    ) throws {
        log.append(action)
        switch action {
        case .route(let request):
            let method = ServiceCatalog.find(service: request.service, method: request.method)
            let kind = method.map { $0.isServerStream ? MethodKind.serverStream : .unary }
            switch machine.requestRouted(streamID, request, to: kind) {
            case .deliver:
                try promise(open.updateValue(kind ?? .unary, forKey: streamID) == nil, "\(streamID) is open twice")
                try promise(machine.isOpen(streamID), "\(streamID) is delivered, and not open")
                known = (data, kind ?? .unary)
                // The request is decoded as a router would do it.
                if let method { try MessagePromises(of: method.input)?.check(request.payload) }
            case .refuse: try promise(kind == nil, "a method that there is was refused")
            case .drop: throw BrokenPromise(description: "a request was dropped")
            }
        case .deliver:
            let kind = known?.kind ?? .unary
            try promise(open.updateValue(kind, forKey: streamID) == nil, "\(streamID) is open twice")
            try promise(machine.isOpen(streamID), "\(streamID) is delivered, and not open")
        case .end:
            try promise(open.removeValue(forKey: streamID) != nil, "\(streamID) ended, and was not open")
        case .refuse, .drop:
            break
        }
    }

    /// The service does something, or not, with a stream that is open, or not.
    private mutating func serve() throws(BrokenPromise) {
        let choice = choices.next(below: 6)
        let streamID = choices.next(below: 2) == 0 ? UInt32(choices.next(below: 12)) : open.keys.min() ?? 1
        let kind = open[streamID]
        switch choice {
        case 1 where kind != .serverStream:
            let isDropped = machine.responded(streamID, byteCount: choices.next(below: 150) * 2) == .drop
            try promise(isDropped == (kind == nil), "the answer of \(streamID)")
            open[streamID] = nil
        case 2 where kind != .unary:
            switch machine.messageSent(streamID, byteCount: choices.next(below: 150) * 2) {
            case .send: try promise(kind == .serverStream, "a message for \(streamID) was sent")
            case .replace: try promise(open.removeValue(forKey: streamID) != nil, "a failure of \(streamID) was sent")
            case .drop: try promise(kind == nil, "a message for \(streamID) was dropped")
            }
        case 3 where kind != .unary:
            try promise(machine.finished(streamID) == (kind != nil), "the end of \(streamID)")
            open[streamID] = nil
        case 4:
            try promise(machine.failed(streamID) == (kind != nil), "the failure of \(streamID)")
            open[streamID] = nil
        case 5:
            try promise((machine.deadlinePassed(streamID) != nil) == (kind != nil), "the deadline of \(streamID)")
            open[streamID] = nil
        default:
            break
        }
    }
}
