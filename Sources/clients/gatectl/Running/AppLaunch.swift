import CProcess
import GateModel
import GateTexts
import Glibc

/// A conversation with gate-launcher, which starts guarded apps. The protocol is described at the top of
/// `Sources/clients/gate-launcher/main.c`.
final class AppLaunch: Sendable {
    enum Outcome: Hashable {
        /// The app runs, and needs this program no longer.
        case runs
        /// The app, which had this program's terminal, has ended with this status.
        case ended(Int32)
    }

    private let descriptor: CInt

    /// Takes ownership of a connected socket.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// - Throws: `UNAVAILABLE` if nobody listens there.
    convenience init(connectedTo path: String) throws(GateError) {
        let descriptor = connect_to_packets(path)
        guard descriptor >= 0 else { throw Self.unreachable(errno) }
        self.init(descriptor)
    }

    // MARK: - Asking

    /// The variables that the launcher takes, short enough for its packets. It leaves out values that don't look as usual.
    static func variables(_ value: (String) -> String?) -> [String] {
        variableNames.compactMap { name in
            value(name).flatMap { $0.isEmpty || $0.utf8.count > 512 ? nil : "\(name)=\($0)" }
        }
    }

    private static let variableNames =
        [
            "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "TERM", "TZ", "LANG",
            "LANGUAGE",
        ]
        + [
            "ADDRESS", "ALL", "COLLATE", "CTYPE", "IDENTIFICATION", "MEASUREMENT", "MESSAGES", "MONETARY", "NAME",
            "NUMERIC", "PAPER", "TELEPHONE", "TIME",
        ].map { "LC_\($0)" }

    static func packet(_ name: String, _ proof: Grant.Proof, variables: [String]) -> [UInt8] {
        (["1", name, Hex.encoded(proof.bytes)] + variables).flatMap { Array($0.utf8) + [0] }
    }

    /// Sends the one packet of this program, with the standard descriptors if all of them are a terminal: the app may
    /// be one for terminals.
    /// - Throws: `UNAVAILABLE` if it can't be sent. If the launcher has refused already, `outcome` says why.
    func send(_ name: String, _ proof: Grant.Proof, variables: [String]) throws(GateError) {
        let hasTerminal = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 1 }
        let packet = Self.packet(name, proof, variables: variables)
        let problem = send_packet(descriptor, packet, packet.count, hasTerminal ? 1 : 0)
        guard problem == 0 || problem == EPIPE || problem == ECONNRESET else { throw Self.unreachable(problem) }
    }

    // MARK: - Answers

    /// Waits until the app runs, or, if it has this program's terminal, until it has ended.
    /// - Throws: why it was not started, or why Gate has ended it.
    func outcome(of name: String) async throws(GateError) -> Outcome {
        var hasTerminal = false
        while let words = await answer()?.parts(between: " "), let first = words.first {
            switch (first, words.count > 1 ? words[1] : "") {
            case ("started", "terminal"): hasTerminal = true
            case ("started", _): return .runs
            case ("ended", let status): return .ended(Int32(status) ?? 1)
            case ("stopped", "out-of-hours"):
                throw GateError(
                    .deadlineExceeded, .outOfHours, saying: localized("The time for this is over, so it was ended."))
            case ("stopped", _):
                throw GateError(
                    .unavailable, .failed, saying: localized("Gate was gone for too long, so the app was ended."))
            case ("refused", let word): throw Self.refusal(word, name)
            case _: throw Self.refusal("bad-request", name)
            }
        }
        throw GateError(
            .unavailable, .failed,
            saying: hasTerminal
                ? localized("The app was ended.")
                : localized("The app was not started. Tell a grown-up: `journalctl -u gate-launcher` says why."))
    }

    /// The next answer; `nil` if there is none any more, or this task was cancelled.
    private func answer() async -> String? {
        guard let stop = Wakeup() else { return nil }
        return await withTaskCancellationHandler {
            await OwnThread.run { [descriptor] () -> String? in
                var descriptors = [
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {}
                var bytes = [UInt8](repeating: 0, count: 64)
                guard descriptors[1].revents == 0 else { return nil }
                var count = recv(descriptor, &bytes, bytes.count, 0)
                // A launcher that refuses without reading the packet resets the connection; its answer comes after that.
                if count < 0, errno == ECONNRESET { count = recv(descriptor, &bytes, bytes.count, 0) }
                return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
            } ?? nil
        } onCancel: {
            stop.wake()
        }
    }

    private static func refusal(_ word: String, _ name: String) -> GateError {
        switch word {
        case "not-guarded": notGuarded(name)
        case "no-terminal":
            GateError(
                .invalidArgument, .invalidRequest,
                saying: localized("This app needs a terminal. Start it in one, without redirections."))
        case "no-grant":
            GateError(.aborted, .noGrant, saying: localized("The permission was no longer valid. Start the app again."))
        case "out-of-hours":
            GateError(.failedPrecondition, .outOfHours, saying: localized("There is no time for this now."))
        case "no-gate":
            GateError(.unavailable, .failed, saying: localized("Gate does not answer, so the app was not started."))
        case "limit":
            GateError(
                .resourceExhausted, .limit, saying: localized("Too many apps are running. Close one and try again."))
        case "failed":
            GateError(
                .unavailable, .failed,
                saying: localized("The app was not started. Tell a grown-up: `journalctl -u gate-launcher` says why."))
        case _:
            GateError(
                .internal, .failed,
                saying: localized("gate-launcher and gatectl don't understand each other. Are they of one version?"))
        }
    }

    static func notGuarded(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown,
            saying: localized(
                "'{name}' is not a guarded app. `gatectl apps list` lists them.", ["name": VisibleText.line(name)]))
    }

    static func unreachable(_ problem: CInt) -> GateError {
        GateError(
            .unavailable, .failed,
            saying: localized(
                "Guarded apps can't be started: {error}. Tell a grown-up: `systemctl status gate-launcher.socket` says more, and the package gate-apps has to be installed.",
                ["error": String(cString: strerror(problem))]))
    }
}
