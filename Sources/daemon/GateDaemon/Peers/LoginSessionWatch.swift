import Epoll
import GateCore

/// Reports to the core whose login sessions are on the screens while programs are being used, because the time of a
/// hidden session's programs does not run. Without such programs it watches nothing, so it does not wake the daemon.
/// Confined to the event loop, so `Sendable` unchecked.
final class LoginSessionWatch: @unchecked Sendable {
    private let pipeline: CommandPipeline
    private let directory: String
    private let loop: EpollLoop
    private var watch: DirectoryWatch?
    private var isTellingLater = false

    init(_ pipeline: CommandPipeline, directory: String, on loop: EpollLoop) {
        (self.pipeline, self.directory, self.loop) = (pipeline, directory, loop)
    }

    /// Called when a program asks to begin a use, even if it was refused. If the directory can't be watched, nothing is
    /// reported, so all time runs.
    func useBegan() {
        guard pipeline.head.hasUses else { return }
        if watch == nil {
            watch = DirectoryWatch(ofFile: "\(directory)/any", on: loop) { [weak self] in self?.tell() }
        }
        tell()
    }

    func end() {
        watch?.end()
        watch = nil
    }

    private func tell() {
        guard pipeline.head.hasUses, !pipeline.context.isStopping else { return end() }
        guard watch != nil else { return }
        let sessions = ShownSessions(reading: directory)
        guard sessions != pipeline.head.shownSessions else { return }
        pipeline.submit(.usage(.sessionsChanged(sessions)), as: .daemon) { [self] result in
            // If the commit fails, the core does not know of these sessions, so they are reported again.
            if case .failure = result { tellLater() }
        }
    }

    private func tellLater() {
        guard !isTellingLater, !pipeline.context.isStopping else { return }
        isTellingLater = true
        pipeline.context.later(pipeline.limits.reconcileInterval) { [self] in
            isTellingLater = false
            tell()
        }
    }
}
