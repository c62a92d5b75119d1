import Epoll
import Glibc
import Synchronization

/// Runs a daemon as a process of its own, with its signals.
public enum DaemonProcess {
    /// Runs a daemon to its end. The calling thread must be the main one; it waits for signals: SIGTERM and SIGINT stop
    /// the daemon in order, SIGHUP makes it read its configuration again. Call this before there is another thread.
    ///
    /// Tasks run on the event loop, because Swift's own executor would wake an idle device once a second.
    /// `onReady` is called once, on that loop, when all sockets accept connections.
    /// - Throws: the errors of `Daemon.run`, or `IOError` if no event loop can be made.
    public static func run(
        _ daemon: Daemon, until stop: StopRequest = StopRequest(),
        onReady: @escaping @Sendable (Authority) -> Void = { _ in }
    ) throws {
        // Otherwise the daemon would end if the reader of its log ends.
        signal(SIGPIPE, SIG_IGN)
        let taken = [SIGTERM, SIGINT, SIGHUP]
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in taken {
            // `sigwait` never returns a signal that is ignored, so an inherited SIG_IGN is undone.
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        daemon.prepareProcess()

        let loop = try EpollLoop(name: "gated loop")
        let (hangups, hangup) = AsyncStream.makeStream(of: Void.self)
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let mainThread = pthread_self()
        let tasks = loop.tasks
        Task(executorPreference: tasks) {
            let result: Result<Void, any Error>
            do {
                try await daemon.run(on: loop, until: stop) { authority in
                    onReady(authority)
                    Task(executorPreference: tasks) { for await _ in hangups { await authority.reload() } }
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
            pthread_kill(mainThread, SIGTERM)
        }
        while true {
            var number: CInt = 0
            sigwait(&signals, &number)
            if let result = outcome.withLock({ $0 }) { return try result.get() }
            if number == SIGHUP { hangup.yield() } else { stop.make() }
        }
    }
}
