import CProcess
import GateModel
import GateTexts
import Glibc
import Synchronization

/// A program whose use is counted. It has gatectl's streams, folder and environment, and is ended when its time is over.
final class UsedProgram: Sendable {
    /// How long the program may take to end after SIGTERM.
    private static let endingTime = Duration.seconds(10)
    /// The status if the program was ended because its time was over.
    private static let timeIsOver: CInt = 124

    private let process: pid_t
    /// Whether the program leads a process group, so that what it has started is ended with it.
    private let hasGroup: Bool
    private let isEnding = Mutex(false)
    /// The process or the group to which signals are passed on, as `kill` takes it; 0 until the program runs.
    private static let receiver = Atomic<pid_t>(0)
    /// The signal that was not passed on yet; 0 if there is none.
    private static let pending = Atomic<CInt>(0)

    /// Whether it was ended because its time was over.
    private var wasEnded: Bool { isEnding.withLock(\.self) }

    /// Starts the program. On a terminal it stays in gatectl's process group, since it could not read from the terminal
    /// otherwise. The keys that end programs then reach both, and gatectl leaves them to the program.
    /// - Throws: `ABORTED` if the file has changed; `INVALID_ARGUMENT` if the system can't start it.
    init(_ start: CommandStart) throws(GateError) {
        guard start.command.isUnchanged else { throw start.command.wasChanged }
        hasGroup = isatty(STDIN_FILENO) == 0
        for number in [SIGINT, SIGQUIT, SIGHUP] where !hasGroup { signal(number, SIG_IGN) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        var problem = hasGroup ? set_own_group(&attributes) : Self.setUsualSignals(&attributes)
        if problem == 0 { problem = add_close_from(&files, 3) }
        var arguments: [UnsafeMutablePointer<CChar>?] = start.arguments.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = CommandStart.environment.map { strdup($0) } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var process = pid_t()
        // This comes before the start, because a signal that ends the program may arrive as soon as it runs.
        Self.catchSignals()
        if problem == 0 {
            problem = posix_spawn(&process, start.command.path, &files, &attributes, &arguments, &environment)
        }
        guard problem == 0 else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{path}' can't be started: {error}.",
                    ["path": start.command.path, "error": String(cString: strerror(problem))]))
        }
        self.process = process
        Self.receiver.store(hasGroup ? -process : process, ordering: .sequentiallyConsistent)
        Self.passOn()
    }

    /// Makes signals that would end gatectl go to the program instead, since the program's time would not be counted
    /// without gatectl. Signals that gatectl ignores stay ignored.
    private static func catchSignals() {
        // The first use of these creates them, and that must not happen in a signal handler.
        receiver.store(0, ordering: .sequentiallyConsistent)
        pending.store(0, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] {
            var action = sigaction()
            sigaction(number, nil, &action)
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            guard handler != unsafeBitCast(SIG_IGN, to: Int.self) else { continue }
            signal(number) { number in
                let before = errno
                UsedProgram.pending.store(number, ordering: .sequentiallyConsistent)
                UsedProgram.passOn()
                errno = before
            }
        }
    }

    /// Sends the pending signal to the program, if it runs already. A handler and the start of the program may call
    /// this at the same time; still each signal is sent once.
    private static func passOn() {
        let receiver = receiver.load(ordering: .sequentiallyConsistent)
        guard receiver != 0 else { return }
        let signal = pending.exchange(0, ordering: .sequentiallyConsistent)
        if signal != 0 { kill(receiver, signal) }
    }

    private static func setUsualSignals(_ attributes: inout posix_spawnattr_t) -> CInt {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        return posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// Waits for the end of the program, and exits with its status; with 128 and the signal's number if a signal ended
    /// it. May be called several times.
    func exitWithIt() async -> Never {
        let status = await OwnThread.run { [process] in Self.wait(for: process) } ?? Self.wait(for: process)
        guard wasEnded else { exit(status) }
        await groupHasEnded()
        exit(Self.timeIsOver)
    }

    /// Waits until all processes in the program's group have ended. Some may take longer than the program itself;
    /// `isToEnd` kills them if they take too long.
    private func groupHasEnded() async {
        let latest = ContinuousClock.now + Self.endingTime + .seconds(1)
        while hasGroup, kill(-process, 0) == 0, ContinuousClock.now < latest {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func wait(for process: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(process, &status, 0) != process {
            // Another call of this function has taken the status, and exits the process with it.
            while errno == ECHILD { pause() }
        }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// Its time is over. Asks the program to end, and kills it if it does not.
    func isToEnd() {
        isEnding.withLock { $0 = true }
        if !hasGroup, getpgrp() == getpid() {
            // gatectl is the first process of a job of the shell, to which the program and its children belong, too.
            signal(SIGTERM, SIG_IGN)
            kill(0, SIGTERM)
        }
        end(by: SIGTERM)
        Task.detached { [self] in
            try? await Task.sleep(for: Self.endingTime)
            // If the program and its group had ended, gatectl would have exited before this.
            end(by: SIGKILL)
        }
    }

    private func end(by signal: CInt) {
        kill(hasGroup ? -process : process, signal)
        // A program that is stopped can't end.
        kill(hasGroup ? -process : process, SIGCONT)
    }
}
