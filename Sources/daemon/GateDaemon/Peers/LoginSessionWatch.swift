import Epoll
import GateCore
import GateModel

/// Tells the core whose login sessions are on the screens, as long as something is used whose time that could stop. A
/// daemon without uses is not woken by it. Confined to the event loop, so `Sendable` unchecked.
final class LoginSessionWatch: @unchecked Sendable {
    private let pipeline: CommandPipeline
    private let directory: String
    private let loop: EpollLoop
    private var watch: DirectoryWatch?
    private var isTellingLater = false

    init(_ pipeline: CommandPipeline, directory: String, on loop: EpollLoop) {
        (self.pipeline, self.directory, self.loop) = (pipeline, directory, loop)
    }

    /// A program was to begin a use. If the kernel does not watch the directory, the core hears nothing, so all time
    /// runs.
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
            // If the commit fails, the core does not know of these sessions, and has to be told again.
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
