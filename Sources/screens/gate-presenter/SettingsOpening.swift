import CGTK
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// Opens a page of `gate-settings`.
@GLibLoop
struct SettingsOpening {
    private let program: String
    private let options: [String]
    private let bus: SessionBus?

    /// - Parameter options: the options with which `gate-settings` reaches the daemon.
    init(options: [String], on bus: SessionBus?) {
        (self.options, self.bus) = (options, bus)
        program = ThisProgram.beside("gate-settings") ?? "/usr/bin/gate-settings"
    }

    /// Starts it as a unit of its own if systemd runs the session. As a child of gate-presenter.service it could do less
    /// than when it is started from the menu, and would end with that service.
    func open(_ page: SettingsPage.ID) {
        let words = [program] + options + ["--page", page.rawValue]
        guard let bus else { return start(words) }
        let name = "gate-settings-\(getpid())-\(UInt64.random(in: .min ... .max)).service"
        let command = BusValue.tuple([.string(program), .array(of: "s", words.map { .string($0) }), .boolean(false)])
        let properties: [BusValue] = [
            .tuple([.string("ExecStart"), .any(.array(of: "(sasb)", [command]))]),
            .tuple([.string("CollectMode"), .any(.string("inactive-or-failed"))]),
        ]
        bus.call(
            Systemd.name, Systemd.path, Systemd.interface, "StartTransientUnit",
            [.string(name), .string("fail"), .array(of: "(sv)", properties), .array(of: "(sa(sv))", [])]
        ) { answer in
            if answer == nil { start(words) }
        }
    }

    /// Starts it as a child of this program.
    private func start(_ words: [String]) {
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: GPid = 0
        guard g_spawn_async(nil, &arguments, nil, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, &child, nil) != 0 else { return }
        g_child_watch_add(child, { child, _, _ in g_spawn_close_pid(child) }, nil)
    }
}

private enum Systemd {
    static let name = "org.freedesktop.systemd1"
    static let path = "/org/freedesktop/systemd1"
    static let interface = "org.freedesktop.systemd1.Manager"
}
