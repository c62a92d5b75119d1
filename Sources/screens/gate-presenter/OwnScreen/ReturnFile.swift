import GateScreens
import Glibc

/// The file that says which place had the monitor, for systemd's `ExecStopPost=` if this program dies.
struct ReturnFile {
    /// A file in the directory that systemd has made for this service; `nil` if it has made none.
    private let path: String?

    init() {
        path = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) + "/back" }
    }

    func write(_ place: ScreenSwitchStateMachine.Place?) {
        guard let path else { return }
        guard let place else {
            unlink(path)
            return
        }
        let line =
            switch place {
            case .session(let name): "session \(name)\n"
            case .terminal(let number): "terminal \(number)\n"
            }
        guard let file = fopen(path + ".new", "we") else { return }
        let isWritten = fputs(line, file) >= 0
        if fclose(file) == 0, isWritten { rename(path + ".new", path) }
    }
}
