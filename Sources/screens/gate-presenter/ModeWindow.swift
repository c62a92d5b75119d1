import CGTK
import GateScreens
import GateTexts
import GateWindows

/// The small window that says that the device is in parent mode, if the desktop has neither a status icon nor
/// notifications. It stays until the mode changes.
@GLibLoop
final class ModeWindow {
    private let interface = Interface(PackageResources.mode_ui)
    private let window: Widget
    private var shown: ModeMark?

    init(_ pressed: @escaping @GLibLoop (ModeAction) -> Void) {
        window = interface.widget("window")
        window.add(style: "parent-mode")
        // It can't be closed: it disappears when parent mode ends, for example by "Lock now".
        window.onCloseRequest {}
        let longer = interface.widget("longer")
        longer.setLabel(ModeMark.longer)
        longer.on("clicked") { pressed(.longer) }
        let lockNow = interface.widget("lock-now")
        lockNow.setLabel(ModeMark.lockNow)
        lockNow.on("clicked") { pressed(.lockNow) }
    }

    func show(_ mark: ModeMark) {
        guard mark != shown else { return }
        window.setSpoken(name: ListText.pair("Gate", mark.title), description: mark.sentence)
        gtk_window_set_title(UnsafeMutablePointer(window.pointer), mark.title)
        interface.widget("title").setText(mark.title)
        interface.widget("time-left").setText(mark.timeLeft)
        interface.widget("note").setText(mark.note)
        interface.widget("note").setVisible(!mark.note.isEmpty)
        interface.widget("longer").setSensitive(mark.takes(.longer))
        if shown == nil {
            // No button has the focus, so a key that was meant for another window presses nothing.
            gtk_window_set_focus(UnsafeMutablePointer(window.pointer), nil)
            gtk_window_present(UnsafeMutablePointer(window.pointer))
        }
        shown = mark
    }

    func close() { gtk_window_destroy(UnsafeMutablePointer(window.pointer)) }
}
