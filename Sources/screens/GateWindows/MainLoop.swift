import CGTK
import Glibc

/// GTK's main loop, which a program with windows is in from its start to its end.
///
/// The loop's thread alone touches what it has.
package final class MainLoop: @unchecked Sendable {
    private let loop: OpaquePointer

    /// Begins with GTK. To be called before there is a task; `nil`: there is no display.
    ///
    /// - Parameter name: of the program.
    package init?(name: String) {
        // Half the memory of OpenGL's, and next to nothing here moves.
        setenv("GSK_RENDERER", "cairo", 0)
        GLibLoop.takeAllJobs()
        g_set_prgname(name)
        g_set_application_name("Gate")
        guard gtk_init_check() != 0, let loop = g_main_loop_new(nil, 0) else { return nil }
        self.loop = loop
        adw_init()
        gtk_window_set_default_icon_name("gate-padlock")
    }

    /// Runs until the body returns, or a signal ends the program.
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
