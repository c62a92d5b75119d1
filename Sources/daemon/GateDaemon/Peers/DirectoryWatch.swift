import Epoll
import GateModel
import Glibc

/// Tells the daemon when files of one directory are written, replaced or removed, so it need not look from time to
/// time. The directory is watched, because a file such as `/etc/passwd` is replaced by a new one under the same name.
///
/// Confined to the event loop, so it can be `Sendable` unchecked.
final class DirectoryWatch: EpollSource, @unchecked Sendable {
    private static let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE

    private let loop: EpollLoop
    private let hasChanged: @Sendable () -> Void
    /// `nil` if the watch has ended.
    private var watching: (descriptor: CInt, watch: EpollLoop.Watch)?

    /// `hasChanged` is called on the loop, for any file of the directory. `nil` if the kernel does not watch it.
    init?(ofFile path: String, on loop: EpollLoop, hasChanged: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.hasChanged = hasChanged
        let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let directory = path.cut(atLast: "/")?.before ?? ""
        guard inotify_add_watch(descriptor, directory.isEmpty ? "/" : directory, UInt32(Self.events)) >= 0,
            let watch = try? loop.watch(descriptor, for: .readable, self)
        else {
            close(descriptor)
            return nil
        }
        watching = (descriptor, watch)
    }

    func end() {
        guard let (descriptor, watch) = watching else { return }
        watching = nil
        loop.forget(watch)
        close(descriptor)
    }

    /// Drops the kernel's events and calls `hasChanged`, whichever file has changed: the caller looks at its own file.
    func ready(_ readiness: Readiness) {
        guard let (descriptor, _) = watching else { return }
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: MemoryLayout<inotify_event>.alignment) {
            buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
        hasChanged()
    }
}
