import CGTK
import GateTexts
import GateWindows
import Glibc

/// Opens pages with `gatectl open`, which asks the gate about the address, and starts the policy's browser.
@GLibLoop
struct PageOpening {
    private let program: String
    private let options: [String]

    /// - Parameter options: the options with which `gatectl` reaches the daemon.
    init(options: [String]) {
        self.options = options
        program = ThisProgram.beside("gatectl") ?? "gatectl"
    }

    /// Begins to open a page. The gate's question is shown after the paywall was closed. Returns false if `gatectl`
    /// could not be started, or failed within a second: there is no browser, or the address is not valid.
    func open(_ page: String) async -> Bool {
        guard let child = start(page) else { return false }
        for _ in 0..<20 {
            try? await GLibLoop.sleep(for: .milliseconds(50))
            var status: CInt = 0
            switch waitpid(child, &status, WNOHANG) {
            case 0: continue
            case child: return status == 0
            // Something else has waited for the child, so its status is not known.
            case _: return false
            }
        }
        // `gatectl` runs as long as the browser does.
        g_child_watch_add(child, { child, _, _ in g_spawn_close_pid(child) }, nil)
        return true
    }

    private func start(_ page: String) -> GPid? {
        var arguments = ([program, "open", page] + options).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: GPid = 0
        let flags = GSpawnFlags(rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_DO_NOT_REAP_CHILD.rawValue)
        // Its standard input is /dev/null, so the question goes to presenters, which can be this one.
        return g_spawn_async(nil, &arguments, nil, flags, nil, nil, &child, nil) != 0 ? child : nil
    }
}
