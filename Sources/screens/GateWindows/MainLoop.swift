import CGTK
import Glibc

/// GTK's main loop, in which a program with windows runs from start to end. Only the loop's thread uses its contents,
/// so it can be `Sendable` unchecked.
package final class MainLoop: @unchecked Sendable {
    private let loop: OpaquePointer

    /// Initializes GTK for the program of this name, before the first task. `nil` if there is no display.
    package init?(name: String) {
        // Drawing with cairo takes half the memory of OpenGL, whose speed is not needed: next to nothing moves.
        setenv("GSK_RENDERER", "cairo", 0)
        GLibLoop.takeAllJobs()
        g_set_prgname(name)
        g_set_application_name("Gate")
        guard gtk_init_check() != 0, let loop = g_main_loop_new(nil, 0) else { return nil }
        self.loop = loop
        adw_init()
        gtk_window_set_default_icon_name("gate-padlock")
    }

    /// Runs until the body returns, or SIGTERM, SIGINT or SIGHUP comes.
    package func run(_ body: @escaping @GLibLoop () async -> Void) {
        Task { @GLibLoop in
            Style.load()
            await body()
            g_main_loop_quit(loop)
        }
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            g_unix_signal_add(
                signal,
                { loop in
                    g_main_loop_quit(loop.map { OpaquePointer($0) })
                    return 1
                }, UnsafeMutableRawPointer(loop))
        }
        g_main_loop_run(loop)
    }
}
