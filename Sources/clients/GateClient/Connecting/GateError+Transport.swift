import GateModel
import GateProtocol
import TTRPC
import TTRPCTransport

extension GateError {
    /// The error of the transport, in words for an app that only wanted to ask Gate something.
    init(_ error: TTRPCClientError, options: GateClientOptions) {
        switch error {
        case .unreachable(let why) where options.usesPortal:
            self.init(
                .unavailable, .unspecified,
                "This app runs in a sandbox, and Gate can't be reached at \(why). Add --filesystem=xdg-run/gate:ro to its "
                    + "manifest, and install gate-portal on the device.",
                parameters: ["what": "sandbox"])
        case .unreachable(let why):
            self.init(
                .unavailable, .unspecified,
                "The daemon can't be reached at \(why). Is gated running (`systemctl status gated`)? "
                    + "Does it listen elsewhere (`--socket`, GATE_SOCKET)?")
        case .untrustedServer(let uid):
            self.init(
                .permissionDenied, .notPermitted,
                "The server at \(options.socketPath) runs as uid \(uid), which is not trusted. "
                    + "If that is the daemon of a private run, name its user (`--server-user \(uid)`).")
        case .unmappedServer(let uid):
            self.init(
                .permissionDenied, .unmappedServer,
                "This program runs in a user namespace that does not know the user of the server at "
                    + "\(options.socketPath): the kernel says uid \(uid), which it says of all such users. So nobody can tell "
                    + "whether that is the daemon, and nothing is believed. Run it outside of the sandbox (bubblewrap, "
                    + "Flatpak, a container), or in one that maps the daemon's user.")
        case .status(let status):
            self.init(status)
        case .connectionLost:
            self.init(
                .unavailable, .unspecified,
                "The connection to the daemon was lost. Is gated running (`systemctl status gated`)?")
        case .timedOut:
            self.init(.deadlineExceeded, .unspecified, "The daemon did not answer in time.")
        case .cancelled:
            self = .cancelled
        case .protocolViolation(let what):
            self.init(.internal, .unspecified, "The daemon sent a message that this client can't read: \(what).")
        }
    }

    init(_ status: Status) {
        self.init(
            code: status.code.rawValue, message: status.message, details: status.details.map { ($0.typeURL, $0.value) })
    }

    static let cancelled = GateError(.cancelled, .unspecified, "The call was cancelled.")

    static let clientClosed = GateError(.cancelled, .unspecified, "This client was closed.")
}

extension CancellationMethod {
    /// How Gate cancels a call: with an ordinary call.
    static let gate = CancellationMethod(
        service: Methods.Control.cancel.service, method: Methods.Control.cancel.name,
        payload: { streamID in CancelRequest(streamID: streamID).encoded() })
}
