import Epoll
import Glibc
import Synchronization

/// A daemon as a process of its own.
public enum DaemonProcess {
    /// Runs a daemon to its end, and keeps the calling thread, the main one, for signals: SIGTERM and SIGINT stop it in order,
    /// SIGHUP has it read its configuration again. Call this before there is another thread.
    ///
    /// Tasks run on the event loop: Swift's own executor would wake an idle device four times a second.
    ///
    /// - Parameter onReady: called once, on the event loop, when every socket takes connections.
    /// - Throws: the errors of `Daemon.run`, or `IOError` where there can be no event loop.
    public static func run(
        _ daemon: Daemon, until stop: StopRequest = StopRequest(),
        onReady: @escaping @Sendable (Authority) -> Void = { _ in }
    ) throws {
        // The reader of its log may have gone.
        signal(SIGPIPE, SIG_IGN)
        let taken = [SIGTERM, SIGINT, SIGHUP]
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in taken {
            // One that is ignored would not be heard of.
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
