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

    /// Begins it: what comes of it the person sees.
    ///
    /// - Returns: false: it could not be started.
    func open(_ page: String) -> Bool {
        var arguments = ([program, "open", page] + options).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // Its input is /dev/null: the question goes to presenters, to this one too.
        return g_spawn_async(nil, &arguments, nil, G_SPAWN_SEARCH_PATH, nil, nil, nil, nil) != 0
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
