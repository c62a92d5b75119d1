import TTRPC

/// A client's machine with calls under way, and a list of them that is kept beside it.
struct ClientPlay {
    var machine = ClientConnectionStateMachine(limits: FrameFeed.limits)
    private(set) var open: [UInt32: MethodKind] = [:]
    /// What came of each frame.
    private(set) var log: [ClientConnectionStateMachine.FrameAction] = []
    private var feed = FrameFeed()
    private var choices: Choices

    init(_ choices: Choices) throws {
        self.choices = choices
        for _ in 0..<4 { try call() }
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) throws {
        for event in try feed.take(bytes) {
            let action: ClientConnectionStateMachine.FrameAction
            let streamID: UInt32
            switch event {
            case .frame(let header, let data):
                streamID = header.streamID
                action = data.withUnsafeBytes { machine.frameReceived(header, $0) }
            case .tooLarge(let header):
                streamID = header.streamID
                action = machine.frameTooLarge(header)
            }
            log.append(action)
            switch action {
            case .succeed, .deliverLast, .finish, .fail, .abandon, .violate:
                try promise(open.removeValue(forKey: streamID) != nil, "\(streamID) ended, and was not open")
            case .deliver:
                try promise(open[streamID] == .serverStream, "a message for \(streamID), which is no stream")
            case .drop:
                break
            }
            try act()
        }
    }

    private mutating func act() throws {
        switch choices.next(below: 4) {
        case 1, 2:
            try call()
        case 3:
            let streamID = UInt32(choices.next(below: 12))
            let wasOpen = open.removeValue(forKey: streamID) != nil
            try promise(machine.givenUp(streamID) == wasOpen, "giving up \(streamID)")
            _ = machine.cancellationStarted()
        default:
            break
        }
    }

    private mutating func call() throws(BrokenPromise) {
        let kind: MethodKind = choices.next(below: 2) == 0 ? .unary : .serverStream
        switch machine.callStarted(kind, byteCount: choices.next(below: 250)) {
        case .send(let streamID, _): open[streamID] = kind
        case .refuse: break
        case .connectionLost: throw BrokenPromise(description: "the connection is open")
        }
    }
}
