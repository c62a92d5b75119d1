import GateCore
import GateModel
import GateProtocol
import TTRPC

@testable import GateClient
@testable import GateDaemon

/// A program that watches: the machine of `GateClient` behind a connection of the simulation's. It holds every message against
/// the promises of watching before the machine gets it.
final class SimulatedWatcher {
    let uid: UInt32
    let roles: Roles
    let topics: Set<WatchTopic>
    private var machine: WatchStateMachine
    private var connection: SimulatedConnection?
    private var watch: UInt32 = 0
    private var promises: WatchPromises
    /// The mode that its program believes.
    private(set) var believed: ModeState = .closed

    init(uid: UInt32, roles: Roles, topics: Set<WatchTopic>) {
        (self.uid, self.roles, self.topics) = (uid, roles, topics)
        machine = WatchStateMachine(topics: topics)
        promises = WatchPromises(topics: topics)
    }

    var isConnected: Bool { connection?.isOpen ?? false }

    /// Does what the machine asks for, as far as possible at the moment.
    func proceed(with device: SimulatedDevice, history: History) throws {
        if let connection, !connection.isOpen { try lost(history) }
        while true {
            switch machine.action {
            case .open(let after): try open(after, device, history)
            case .receive: guard try receive(history) else { return }
            case .wait, .end: return
            }
        }
    }

    /// Time has passed, so the machine tries again.
    func timePassed() {
        if case .wait = machine.action { machine.waited() }
    }

    private func open(_ after: Revision?, _ device: SimulatedDevice, _ history: History) throws {
        guard let connection = try SimulatedConnection(to: device.daemon, uid: uid, roles: roles) else {
            return try failed(history)
        }
        self.connection = connection
        watch = connection.nextStream()
        promises.opened(after: after, as: connection.peer)
        machine.streamOpened()
        connection.send(Methods.Watch.watch, WatchRequest(topics: topics, after: after), stream: watch)
        device.daemon.loop.run()
    }

    /// Reads what has come. Returns false if there was nothing.
    private func receive(_ history: History) throws -> Bool {
        guard let connection else { return false }
        let frames = connection.receive()
        for (header, data) in frames {
            guard self.connection != nil else { return true }
            switch (header.streamID, header.type) {
            case (watch, .data): try received(data, history)
            case (watch, .response): try ended(history)
            default: throw Broken(description: "a watcher was sent \(header)")
            }
        }
        return !frames.isEmpty
    }

    private func received(_ data: [UInt8], _ history: History) throws {
        let message = try data.withUnsafeBytes { try WatchResponse(decoding: $0) }
        try promises.received(message, history)
        try heard(machine.messageReceived(message, at: nil, jitter: 0.5), history)
    }

    private func heard(_ event: WatchEvent?, _ history: History) throws {
        guard let event else { return }
        if topics.contains(.mode), let state = event.mode { believed = state }
        switch event {
        // The program has caught up: the state that it believes was true at that revision.
        case .snapshot(let message), .change(let message), .resumed(let message):
            try promises.believes(believed, at: message.revision, history)
        case .lost: break
        }
    }

    private func ended(_ history: History) throws {
        connection?.close()
        try failed(history)
    }

    private func lost(_ history: History) throws {
        // Bytes that the kernel had taken are still there.
        while try receive(history) {}
        guard connection != nil else { return }
        try failed(history)
    }

    private func failed(_ history: History) throws {
        connection = nil
        try heard(machine.failed(GateError(.unavailable, .unspecified, "gone"), jitter: 0.5), history)
        try hold(believed == .closed, "a program without a daemon believes in \(believed)")
    }

    /// The daemon has died while this watcher was connected.
    func daemonDied(_ history: History) throws {
        guard connection != nil else { return }
        try lost(history)
    }

    func toggleReading() {
        guard let connection else { return }
        connection.isReading.toggle()
    }

    func startReading() {
        connection?.isReading = true
    }

    /// Checks, when everything has come to rest, that the watcher knows the newest state.
    func checkCurrent(_ state: GateState) throws {
        guard isConnected else {
            throw Broken(description: "a watcher is not connected any more: \(machine)")
        }
        try promises.isCurrent(state)
    }

    /// Disconnects like a program that ends; the same watcher connects again later.
    func hangUp(_ history: History) throws {
        guard let connection else { return }
        connection.close()
        try lost(history)
    }
}
