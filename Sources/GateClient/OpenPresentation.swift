public import GateModel
public import GateProtocol
import Glibc
import TTRPCTransport

/// A question that this program has to show to a person, and the right to answer it, which is bound to the connection
/// that asked for it: when that is lost, so is the question.
public struct OpenPresentation: Sendable {
    public let presentation: Presentation
    /// Whether the presentation's deadline can be compared with this process's clock. Not so where the daemon runs on a
    /// clock of its own, in tests.
    public let sharesClock: Bool
    let connection: TTRPCClientConnection
    let shared: SharedConnection

    init(_ presentation: Presentation, on connection: TTRPCClientConnection, of shared: SharedConnection) {
        self.presentation = presentation
        // It has come just now, so its deadline can't be past.
        self.sharesClock = presentation.deadline > .now()
        self.connection = connection
        self.shared = shared
    }

    /// The person's answer. It is taken once.
    ///
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`); `INVALID_ARGUMENT` where it is none at all, and the question stays
    ///   open; `ABORTED` (`closed`) and `DEADLINE_EXCEEDED` (`expired`) where it came too late.
    public func complete(_ answer: String) async throws(GateError) -> CompleteResponse {
        try await connection.call(
            Methods.Presentations.complete, CompleteRequest(cookie: presentation.cookie, answer: answer),
            timeout: shared.options.callTimeout, of: shared)
    }

    /// The person closed the question without an answer.
    @discardableResult
    public func dismiss() async throws(GateError) -> DismissResponse {
        try await connection.call(
            Methods.Presentations.dismiss, DismissRequest(cookie: presentation.cookie),
            timeout: shared.options.callTimeout,
            of: shared)
    }

    /// Returns why, as soon as the question can no longer be answered: its time is over, somebody else changed the mode,
    /// the daemon was lost. After cancellation `CANCELLED`.
    public func waitUntilClosed() async -> GateError {
        await withTaskGroup(of: GateError.self) { group in
            group.addTask { await deadlinePassed() }
            group.addTask { await modeLeft() }
            defer { group.cancelAll() }
            return await group.next() ?? .cancelled
        }
    }

    private var expired: GateError { GateError(.deadlineExceeded, .expired, "Nobody answered in time.") }

    private func deadlinePassed() async -> GateError {
        guard sharesClock else { return await cancellation() }
        // The daemon closes it at the deadline and says so; this is for where that does not come.
        let grace = Duration.milliseconds(500)
        do {
            try await Task.sleep(for: BootTime.now().duration(to: presentation.deadline) + grace, clock: .continuous)
            return expired
        } catch {
            return .cancelled
        }
    }

    /// While it is open, the mode is what it was when the question came.
    private func modeLeft() async -> GateError {
        let expected: Mode =
            switch presentation.purpose {
            case .enterParentMode: .verifying
            case .extendParentMode: .parent
            }
        do throws(GateError) {
            let method = Methods.Watch.watch
            let stream = try await connection.openStream(
                service: method.service, method: method.name,
                payload: WatchRequest(topics: [.mode], after: nil).encoded(), of: shared)
            for try await bytes in stream {
                guard let state = try WatchResponse(ofDaemon: bytes).mode, state.mode != expected else { continue }
                return sharesClock && presentation.deadline <= .now()
                    ? expired
                    : GateError(.aborted, .closed, "The question was withdrawn: the mode was changed meanwhile.")
            }
            return GateError(.unavailable, .stopping, "The daemon is stopping.")
        } catch {
            // Too many watches, for one: then only the deadline and the answer will tell.
            guard error.code == .unavailable || error.code == .cancelled else { return await cancellation() }
            return error
        }
    }

    private func cancellation() async -> GateError {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        return .cancelled
    }
}

extension BootTime {
    /// The kernel's boot clock, on which deadlines are told.
    public static func now() -> BootTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
