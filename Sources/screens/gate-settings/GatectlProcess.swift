import CGTK
import GateModel
import GateTexts
import GateWindows
import Glibc

/// A running gatectl whose output is read line by line, and to which lines can be sent.
@GLibLoop
final class GatectlProcess {
    private var input: CInt = -1
    private var output: CInt = -1
    private var source: guint = 0
    private var unread: [UInt8] = []
    private let heard: @GLibLoop ([UInt8]) -> Void
    private let ended: @GLibLoop (_ status: CInt?) -> Void

    /// The longest line that is read.
    private nonisolated static let maximumLineByteCount = 1 << 20
    private nonisolated static let rootStarter = "/usr/bin/pkexec"

    /// The command line of `gatectl setup`, the assistant's other end; `nil` if nothing here can start it as root. Only
    /// root can change who opens links, what polkit allows and Gate's own screen, so pkexec asks for an administrator's
    /// password and starts it.
    nonisolated static func setup(_ options: [String]) -> [String]? {
        guard let words = command(["setup", "--for-window"] + options) else { return nil }
        if geteuid() == 0 { return words }
        return access(rootStarter, X_OK) == 0 ? [rootStarter] + words : nil
    }

    /// The command line of gatectl with these words; `nil` if it is not installed beside this program.
    nonisolated static func command(_ words: [String]) -> [String]? {
        ThisProgram.beside("gatectl").map { [$0] + words }
    }

    /// Starts it; `nil` if that is impossible.
    ///
    /// - Parameters:
    ///   - heard: called with each line, without its end.
    ///   - ended: called once, with the exit status; `nil`: a signal ended it.
    init?(
        _ command: [String], heard: @escaping @GLibLoop ([UInt8]) -> Void,
        ended: @escaping @GLibLoop (CInt?) -> Void
    ) {
        self.heard = heard
        self.ended = ended
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: GPid = 0
        guard
            g_spawn_async_with_pipes(
                nil, &arguments, nil, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, &child, &input, &output, nil, nil) != 0
        else { return nil }
        // The last lines are read when it has ended, without waiting for more.
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        _ = fcntl(input, F_SETFD, FD_CLOEXEC)
        _ = fcntl(output, F_SETFD, FD_CLOEXEC)
        source = g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, output, G_IO_IN,
            { _, _, data in
                GatectlProcess.call(data) { $0.readable() } ? 1 : 0
            }, Unmanaged.passRetained(self).toOpaque(), Self.release)
        g_child_watch_add_full(
            G_PRIORITY_DEFAULT, child,
            { child, status, data in
                g_spawn_close_pid(child)
                GatectlProcess.call(data) { $0.finish(status) }
            }, Unmanaged.passRetained(self).toOpaque(), Self.release)
    }

    /// Sends a line, with its end.
    func send(_ line: GateSecret) {
        guard input >= 0 else { return }
        // It fails only if the program has ended, which is heard anyway. NIO makes this process ignore SIGPIPE.
        line.withBytes { _ = write(input, $0.baseAddress, $0.count) }
    }

    /// Closes its input, so that it knows that no more lines follow.
    func hangUp() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// - Returns: whether more may come.
    private func readable() -> Bool {
        guard read() == .end else { return true }
        source = 0
        return false
    }

    private enum Reading {
        case piece
        case nothingYet
        case end
    }

    private func read() -> Reading {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(output, &piece, piece.count)
        guard count >= 0 else { return errno == EINTR || errno == EAGAIN ? .nothingYet : .end }
        guard count > 0 else { return .end }
        unread += piece.prefix(count)
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            heard(Array(unread[..<end]))
            unread.removeSubrange(...end)
        }
        if unread.count > Self.maximumLineByteCount { unread = [] }
        return .piece
    }

    private func finish(_ status: CInt) {
        while read() == .piece {}
        if source != 0 { g_source_remove(source) }
        source = 0
        hangUp()
        close(output)
        // The lower seven bits are the signal's number.
        ended(status & 0x7F == 0 ? status >> 8 & 0xFF : nil)
    }

    private nonisolated static func call<Result>(_ data: gpointer?, _ body: @GLibLoop (GatectlProcess) -> Result)
        -> Result
    {
        guard let data else { preconditionFailure("GLib calls without the data that it was given") }
        let process = Unmanaged<GatectlProcess>.fromOpaque(data).takeUnretainedValue()
        return GLibLoop.assumeIsolated { body(process) }
    }

    private nonisolated static let release: GDestroyNotify = { data in
        if let data { Unmanaged<GatectlProcess>.fromOpaque(data).release() }
    }
}
