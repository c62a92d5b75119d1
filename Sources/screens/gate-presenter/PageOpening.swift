import CGTK
import GateWindows
import Glibc

/// Opens pages as everybody does: `gatectl open` has the gate let the exact address pass, and starts the policy's browser.
@GLibLoop
struct PageOpening {
    private let program: String
    private let options: [String]

    /// - Parameter options: how `gatectl` reaches the daemon.
    init(options: [String]) {
        self.options = options
        program = Self.besideThisProgram("gatectl") ?? "gatectl"
    }

    /// Begins it. The question whether it may be opened waits until the paywall has gone.
    ///
    /// - Returns: false: it could not be started, or ended at once: there is no browser, or the address is none.
    func open(_ page: String) async -> Bool {
        guard let child = start(page) else { return false }
        for _ in 0..<20 {
            try? await GLibLoop.sleep(for: .milliseconds(50))
            var status: CInt = 0
            switch waitpid(child, &status, WNOHANG) {
            case 0: continue
            case child: return status == 0
            // Somebody else has its end: nobody knows whether it went well.
            case _: return false
            }
        }
        // It goes on as long as the browser does.
        g_child_watch_add(child, { child, _, _ in g_spawn_close_pid(child) }, nil)
        return true
    }

    private func start(_ page: String) -> GPid? {
        var arguments = ([program, "open", page] + options).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: GPid = 0
        let flags = GSpawnFlags(rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_DO_NOT_REAP_CHILD.rawValue)
        // Its input is /dev/null: the question goes to presenters, to this one too.
        return g_spawn_async(nil, &arguments, nil, flags, nil, nil, &child, nil) != 0 ? child : nil
    }

    /// They are installed together, and built together.
    private static func besideThisProgram(_ name: String) -> String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let beside = path[...slash] + name
        return access(String(beside), X_OK) == 0 ? String(beside) : nil
    }
}
