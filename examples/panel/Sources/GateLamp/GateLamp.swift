import GateClient

/// Calls `show` with the mode (`child`, `verifying` or `parent`), and again with each change, for as long as the process runs. The
/// text is valid during the call, which comes from a thread of its own.
///
/// - Parameter serverUser: the user that the daemon runs as, by name; null: as it is installed. Root is trusted too.
@_cdecl("gate_lamp_start")
public func start(
    serverUser: UnsafePointer<CChar>?, show: @escaping @convention(c) @Sendable (UnsafePointer<CChar>) -> Void
) {
    let user = serverUser.map { String(cString: $0) } ?? GateClientOptions.defaultServerUser
    Task {
        let gate = GateClient(GateClientOptions(trustedServers: .rootAnd(user: user)))
        for await mode in gate.modeUpdates { mode.rawValue.withCString(show) }
    }
}
