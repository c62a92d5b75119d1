import GateScripting
import ProcessSupport

/// A `gatectl watch` of sign-in or of entitlements.
struct DaemonWatcher<State: Hashable> {
    let process: ChildProcess
    private var unread: [State] = []
    private(set) var last: State?

    init(process: ChildProcess) {
        self.process = process
    }

    /// Reads on until it has heard what is so now.
    ///
    /// Nothing comes back to what it was within one command, so that nothing is missed. That the daemon was away for a
    /// moment is left out: what a reader believes meanwhile is not what Gate says.
    mutating func catchUp(with now: State, _ shown: (GatectlReply) throws -> State?) throws {
        while last != now {
            guard let line = try process.nextLineOrEnd() else { throw process.failure("it has ended") }
            guard let reply = GatectlReply(line) else { throw UnreadableReply(reply: line) }
            guard reply.text("event") != "lost", let state = try shown(reply), state != last else { continue }
            unread.append(state)
            last = state
        }
    }

    /// The states that were not read yet.
    mutating func read() -> [State] {
        defer { unread = [] }
        return unread
    }
}
