import Glibc

/// Ends a `poll` from another thread.
final class Wakeup: Sendable {
    /// Readable once `wake` was called.
    let descriptor: CInt
    private let writeEnd: CInt

    /// `nil` where the process has no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// The descriptor to write to, for a signal handler.
    fileprivate var signalDescriptor: CInt { writeEnd }
}

/// Where the signal handler writes; -1 while no signals are caught.
nonisolated(unsafe) private var caughtSignals: CInt = -1

extension Wakeup {
    /// What takes a question off a person: Ctrl-C, Ctrl-\, a hang-up, being asked to end.
    private static let dismissingSignals = [SIGINT, SIGQUIT, SIGHUP, SIGTERM]

    /// While the body runs, such a signal wakes this and does nothing else. One at a time.
    ///
    /// A terminal that hangs up says so more than once, and the dismissal is still to be told to the daemon: after the
    /// input has ended, further hang-ups are ignored.
    func catchingSignals(_ body: () -> AnswerInput.Typed) -> AnswerInput.Typed {
        caughtSignals = signalDescriptor
        let before = Self.dismissingSignals.map { number in
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in
                let errorBefore = errno
                var byte: UInt8 = 1
                _ = write(caughtSignals, &byte, 1)
                errno = errorBefore
            }
            var before = sigaction()
            sigaction(number, &action, &before)
            return before
        }
        let typed = body()
        for (number, action) in zip(Self.dismissingSignals, before) {
            if number == SIGHUP, typed == .ended {
                signal(SIGHUP, SIG_IGN)
            } else {
                withUnsafePointer(to: action) { _ = sigaction(number, $0, nil) }
            }
        }
        caughtSignals = -1
        return typed
    }
}
