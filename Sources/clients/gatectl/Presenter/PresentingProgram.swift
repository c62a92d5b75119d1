import CProcess
import GateModel
import Glibc

/// A program that shows one presentation. It is started by its path, without a shell, gets the presentation on its
/// standard input, and writes the answer to its standard output. From this process it inherits standard error, and the
/// environment without gatectl's own variables.
struct PresentingProgram: Sendable {
    let path: String
    let arguments: [String]

    /// The most bytes that a program may print: an answer is short.
    static let maximumOutputBytes = 64 << 10
    /// The most bytes for a program that fills in a form: the response has to fit into a presenter's request.
    static let maximumFormBytes = 60 << 10
    /// How often to check whether the program has ended, in milliseconds, if the kernel does not tell.
    private static let lookMilliseconds: CInt = 20
    /// How long the program may take to end after SIGTERM, in milliseconds.
    static let endingMilliseconds: CInt = 2000

    enum Event: Sendable {
        /// It printed this line, which is given without its end.
        case line(GateSecret)
        /// It ended with this exit status, or with 128 and the signal's number if a signal ended it.
        case ended(CInt)
        /// It printed more than is allowed, and was ended.
        case saidTooMuch
        case failed(String)
    }

    /// Returns when the program has ended. Cancellation ends it. `maximumBytes` are the most that it may print.
    func run(
        input: String, environment: [String], maximumBytes: Int = maximumOutputBytes,
        _ tell: @escaping @Sendable (Event) -> Void
    ) async {
        // A program that does not read its input must not end gatectl.
        signal(SIGPIPE, SIG_IGN)
        guard let stop = Wakeup() else { return tell(.failed("this process has no descriptors left")) }
        let hasRun: Void? = await stop.wokenByCancellation {
            runHere(input: input, environment: environment, maximumBytes, stop, tell)
        }
        if hasRun == nil { tell(.failed("this process has no threads left")) }
    }

    private func runHere(
        input: String, environment: [String], _ maximumBytes: Int, _ stop: Wakeup, _ tell: (Event) -> Void
    ) {
        guard let toProgram = ProgramPipe(), let fromProgram = ProgramPipe() else {
            tell(.failed("this process has no descriptors left"))
            return
        }
        var pid: pid_t = 0
        toProgram.keepWriterFromWaiting()
        let problem = start(&pid, toProgram.readEnd, fromProgram.writeEnd, environment)
        toProgram.closeReadEnd()
        fromProgram.closeWriteEnd()
        guard problem == 0 else {
            tell(.failed(String(cString: strerror(problem))))
            return
        }
        if exchange(input, pid, toProgram, fromProgram, maximumBytes, stop, tell) {
            if Self.hasEnded(pid, stop, milliseconds: nil) { return tell(.ended(Self.status(of: pid))) }
        } else {
            tell(.saidTooMuch)
        }
        // End the program and everything that it started. The process id can't be reused before its status is taken.
        kill(-pid, SIGTERM)
        _ = Self.hasEnded(pid, nil, milliseconds: Self.endingMilliseconds)
        kill(-pid, SIGKILL)
        _ = Self.status(of: pid)
    }

    /// - Returns: an error number; 0 if the program runs.
    private func start(_ pid: inout pid_t, _ input: CInt, _ output: CInt, _ environment: [String]) -> CInt {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
        // Close the descriptors only in the program: other threads may be about to hand theirs to programs.
        var problem = add_close_from(&files, 3)
        guard problem == 0 else { return problem }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In its own process group it can be ended together with its children, and Ctrl-C reaches gatectl alone.
        problem = set_own_group(&attributes)
        guard problem == 0 else { return problem }
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        return posix_spawn(&pid, path, &files, &attributes, &argv, &envp)
    }

    /// Sends the input, and reports lines until the program closes its output or ends: its children could hold the
    /// output open for as long as they like. Returns `false` if it prints too much.
    private func exchange(
        _ input: String, _ pid: pid_t, _ toProgram: ProgramPipe, _ fromProgram: ProgramPipe, _ maximumBytes: Int,
        _ stop: Wakeup, _ tell: (Event) -> Void
    ) -> Bool {
        let end = process_descriptor(pid)
        defer { if end >= 0 { close(end) } }
        fromProgram.keepReaderFromWaiting()
        var unsent = Array(input.utf8)[...]
        var line: [UInt8] = []
        // It never grows while a secret may be in it, so that no copy of the secret stays in memory.
        line.reserveCapacity(Self.maximumOutputBytes)
        defer { line.withUnsafeMutableBytes { wipe($0) } }
        var buffer = [UInt8](repeating: 0, count: 4096)
        defer { buffer.withUnsafeMutableBytes { wipe($0) } }
        var byteCount = 0
        while true {
            let sending = unsent.isEmpty ? -1 : toProgram.writeEnd
            var descriptors = [
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: fromProgram.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: sending, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, 4, end < 0 ? Self.lookMilliseconds : -1)
            let hasEnded = end < 0 ? Self.hasEnded(pid, nil, milliseconds: 0) : descriptors[3].revents != 0
            guard count > 0 || hasEnded else { continue }
            if descriptors[0].revents != 0 { return true }
            if descriptors[2].revents != 0 {
                let length = unsent.withUnsafeBytes { write(sending, $0.baseAddress, $0.count) }
                // A program that does not read its input may still answer.
                unsent = length > 0 ? unsent.dropFirst(length) : errno == EAGAIN || errno == EINTR ? unsent : []
                if unsent.isEmpty { toProgram.closeWriteEnd() }
            }
            guard descriptors[1].revents != 0 || hasEnded else { continue }
            let length = read(fromProgram.readEnd, &buffer, buffer.count)
            if length < 0, errno == EINTR || (errno == EAGAIN && !hasEnded) { continue }
            // Everything is read, or the program has ended and its output is empty.
            guard length > 0 else {
                if !line.isEmpty { tell(.line(GateSecret(wiping: &line))) }
                return true
            }
            byteCount += length
            guard byteCount <= maximumBytes else { return false }
            for byte in buffer[..<length] {
                if byte == UInt8(ascii: "\n") {
                    if line.last == UInt8(ascii: "\r") { line.removeLast() }
                    tell(.line(line.withUnsafeBytes { GateSecret($0) }))
                    line.withUnsafeMutableBytes { wipe($0) }
                    line.removeAll(keepingCapacity: true)
                } else {
                    line.append(byte)
                }
            }
        }
    }

    /// Returns whether the program has ended; `false` if `stop` was woken or the time is over. `nil`: no limit.
    private static func hasEnded(_ pid: pid_t, _ stop: Wakeup?, milliseconds: CInt?) -> Bool {
        let step = lookMilliseconds
        var waited: CInt = 0
        while true {
            var ended = siginfo_t()
            let result = waitid(P_PID, id_t(pid), &ended, WEXITED | WNOHANG | WNOWAIT)
            // If there is no such child, it has ended, too.
            if result == 0 ? ended.si_signo == SIGCHLD : errno != EINTR { return true }
            if let milliseconds, waited >= milliseconds { return false }
            var descriptors = pollfd(fd: stop?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            if poll(&descriptors, 1, step) > 0 { return false }
            waited += step
        }
    }

    /// Takes the status of a program that has ended. If a signal ended it: 128 and the signal's number.
    private static func status(of pid: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(pid, &status, 0) != pid {
            guard errno == EINTR else { return 255 }
        }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}

/// A pipe that other programs do not inherit, and that is closed with this object.
private final class ProgramPipe {
    private(set) var readEnd: CInt
    private(set) var writeEnd: CInt

    /// `nil` if the process has no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        closeReadEnd()
        closeWriteEnd()
    }

    /// A program that does not read must not block gatectl.
    func keepWriterFromWaiting() {
        _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    }

    func keepReaderFromWaiting() {
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    func closeReadEnd() {
        if readEnd >= 0 { close(readEnd) }
        readEnd = -1
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }
}
