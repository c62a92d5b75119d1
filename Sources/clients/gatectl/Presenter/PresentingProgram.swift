import CProcess
import GateModel
import Glibc

/// A program that shows one presentation: started by its path, not by a shell, with the presentation on its standard input
/// and the answer on its standard output. Of what this process has it gets the environment, without what is gatectl's
/// alone, and standard error.
struct PresentingProgram: Sendable {
    let path: String
    /// The arguments that it is given; its own name is not among them.
    let arguments: [String]

    /// The most bytes of what a program says: an answer is short.
    static let maximumOutputBytes = 64 << 10
    /// The same of one that fills a form in: what fits into the request of a presenter.
    static let maximumFormBytes = 60 << 10
    /// How often is looked whether it has ended, in milliseconds, where the kernel does not tell.
    private static let lookMilliseconds: CInt = 20
    /// How long it may take to end when it is asked to, in milliseconds.
    static let endingMilliseconds: CInt = 2000

    /// An event of the program.
    enum Event: Sendable {
        /// A line of its output, without its end.
        case line(GateSecret)
        /// The exit status; 128 and the signal's number where one ended it.
        case ended(CInt)
        /// It has said more than anybody reads, and was ended.
        case saidTooMuch
        /// It could not be started, and why.
        case failed(String)
    }

    /// Starts it, and returns when it has ended. Cancellation ends it.
    ///
    /// - Parameter maximumBytes: of what it may say.
    func run(
        input: String, environment: [String], maximumBytes: Int = maximumOutputBytes,
        _ tell: @escaping @Sendable (Event) -> Void
    ) async {
        // A program that does not read what is asked is no reason to die.
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
        // With whatever it has started. Its number is its own until its status is taken.
        kill(-pid, SIGTERM)
        _ = Self.hasEnded(pid, nil, milliseconds: Self.endingMilliseconds)
        kill(-pid, SIGKILL)
        _ = Self.status(of: pid)
    }

    /// - Returns: an error number; 0: it runs.
    private func start(_ pid: inout pid_t, _ input: CInt, _ output: CInt, _ environment: [String]) -> CInt {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
        // In the program alone: what is open here, other threads may be handing to programs of theirs.
        let problem = add_close_from(&files, 3)
        guard problem == 0 else { return problem }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own, to be ended as one; and Ctrl-C is for gatectl.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        return posix_spawn(&pid, path, &files, &attributes, &argv, &envp)
    }

    /// Gives it the input, and tells its lines until it says no more, or has ended: what it has left behind may hold its output
    /// open for as long as it likes.
    ///
    /// - Returns: `false` where it says too much.
    private func exchange(
        _ input: String, _ pid: pid_t, _ toProgram: ProgramPipe, _ fromProgram: ProgramPipe, _ maximumBytes: Int,
        _ stop: Wakeup, _ tell: (Event) -> Void
    ) -> Bool {
        let end = process_descriptor(pid)
        defer { if end >= 0 { close(end) } }
        fromProgram.keepReaderFromWaiting()
        var unsent = Array(input.utf8)[...]
        var line: [UInt8] = []
        // Never grows where a secret may be in it, so that no copy of one is left behind.
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
                // Who does not read what is asked may still answer.
                unsent = length > 0 ? unsent.dropFirst(length) : errno == EAGAIN || errno == EINTR ? unsent : []
                if unsent.isEmpty { toProgram.closeWriteEnd() }
            }
            guard descriptors[1].revents != 0 || hasEnded else { continue }
            let length = read(fromProgram.readEnd, &buffer, buffer.count)
            if length < 0, errno == EINTR || (errno == EAGAIN && !hasEnded) { continue }
            // All that it has said is read, where it has ended.
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

    /// Waits for its end; `false` where it was stopped before, or has taken too long.
    private static func hasEnded(_ pid: pid_t, _ stop: Wakeup?, milliseconds: CInt?) -> Bool {
        let step = lookMilliseconds
        var waited: CInt = 0
        while true {
            var ended = siginfo_t()
            let result = waitid(P_PID, id_t(pid), &ended, WEXITED | WNOHANG | WNOWAIT)
            // Nothing to wait for is an end too.
            if result == 0 ? ended.si_signo == SIGCHLD : errno != EINTR { return true }
            if let milliseconds, waited >= milliseconds { return false }
            var descriptors = pollfd(fd: stop?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            if poll(&descriptors, 1, step) > 0 { return false }
            waited += step
        }
    }

    /// Once it has ended: the exit status; 128 and the signal's number where one ended it.
    private static func status(of pid: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(pid, &status, 0) != pid {
            guard errno == EINTR else { return 255 }
        }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}

/// A pipe whose ends no other program gets, and which closes them in the end.
private final class ProgramPipe {
    private(set) var readEnd: CInt
    private(set) var writeEnd: CInt

    /// `nil` where the process has no descriptors left.
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

    /// A program that does not read must not hold up who writes.
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
