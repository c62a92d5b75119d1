import CGTK
import GateClient
import GateModel
import GateTexts
import GateWindows

/// The windows that hide the desktop, one on each monitor, while a person has to sign in. Questions are shown above
/// them and uncover nothing. They return to the front when another program's window takes the keyboard focus.
///
/// X11's window managers keep them above other windows, Wayland's compositors only while they are full-screen windows
/// in front. They run as the session's user, whose programs can end them. Only Gate's own screen protects against that.
@GLibLoop
final class MonitorCovers {
    /// How long a window of another program may keep the keyboard focus.
    private static let patience = Duration.seconds(1)
    private static let mostMonitors = 16

    /// A window, and its monitor's area if GTK does not know that monitor.
    private struct Cover {
        let window: Widget
        var place: GdkRectangle?
    }

    private var covers: [Cover] = []
    private var windows: [Widget] { covers.map(\.window) }
    /// The window of the question, which is above the covers.
    private weak var question: QuestionWindow?
    private let timer = RedrawTimer()
    private var watchesMonitors = false

    var stands: Bool { !windows.isEmpty }

    func set(_ isCovered: Bool) {
        guard isCovered != stands else { return }
        if isCovered {
            watchMonitors()
            raise()
        } else {
            question?.stand(above: nil)
            timer.set(to: nil) {}
            for window in windows { gtk_window_destroy(UnsafeMutablePointer(window.pointer)) }
            covers = []
        }
    }

    /// Another question is shown; `nil`: none.
    func questionChanged(to window: QuestionWindow?) {
        question = window
        guard stands else { return }
        window?.stand(above: windows.first)
        bringToFront()
    }

    /// Makes a window for each monitor. The old ones are destroyed afterwards, so the desktop stays hidden.
    private func raise() {
        guard let display = gdk_display_get_default(), let monitors = gdk_display_get_monitors(display) else { return }
        let old = windows
        var known: [GdkRectangle] = []
        covers = (0..<g_list_model_get_n_items(monitors)).compactMap { index in
            guard let monitor = g_list_model_get_item(monitors, index) else { return nil }
            defer { g_object_unref(monitor) }
            var place = GdkRectangle()
            gdk_monitor_get_geometry(OpaquePointer(monitor), &place)
            known.append(place)
            return window { gtk_window_fullscreen_on_monitor($0, OpaquePointer(monitor)) }.map {
                Cover(window: $0)
            }
        }
        var others = [GdkRectangle](repeating: GdkRectangle(), count: Self.mostMonitors)
        let count = gate_monitors(display, &others, CInt(others.count))
        for place in others.prefix(Int(count)) where !known.contains(where: { $0.x == place.x && $0.y == place.y }) {
            let made = window { gtk_window_set_default_size($0, place.width, place.height) }
            if let made { covers.append(Cover(window: made, place: place)) }
        }
        question?.stand(above: windows.first)
        for window in old { gtk_window_destroy(UnsafeMutablePointer(window.pointer)) }
        bringToFront()
        watchKeyboard()
    }

    private func window(_ place: (UnsafeMutablePointer<GtkWindow>?) -> Void) -> Widget? {
        guard let made = gtk_window_new() else { return nil }
        let window = Widget(made)
        gtk_window_set_title(UnsafeMutablePointer(window.pointer), "Gate")
        gtk_window_set_decorated(UnsafeMutablePointer(window.pointer), 0)
        gtk_window_set_deletable(UnsafeMutablePointer(window.pointer), 0)
        let sentence = Widget.label(localized("Somebody has to sign in."), styles: ["title-2"])
        gtk_widget_set_halign(sentence.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(sentence.widget, GTK_ALIGN_CENTER)
        gtk_window_set_child(UnsafeMutablePointer(window.pointer), sentence.widget)
        // Closing the window would sign nobody in, so it stays.
        window.onCloseRequest {}
        window.onPress(around: sentence) { [weak self] in self?.question?.pressedBeside() }
        place(UnsafeMutablePointer(window.pointer))
        gtk_window_present(UnsafeMutablePointer(window.pointer))
        return window
    }

    private func watchMonitors() {
        guard !watchesMonitors, let monitors = gdk_display_get_default().flatMap({ gdk_display_get_monitors($0) })
        else {
            return
        }
        watchesMonitors = true
        Widget(monitors).on("items-changed") { [weak self] in
            if let self, stands { raise() }
        }
    }

    /// Looks once a second whether these windows have the keyboard focus. GTK does not report that another one took it.
    private func watchKeyboard() {
        timer.set(to: .now().advanced(by: Self.patience)) { [weak self] in
            guard let self, stands else { return }
            bringToFront()
            watchKeyboard()
        }
    }

    private func bringToFront() {
        let hasKeyboard = windows.contains(where: \.isActiveWindow) || question?.isActive ?? false
        for cover in covers {
            if let place = cover.place, let surface = gtk_native_get_surface(cover.window.pointer) {
                gate_place(surface, place)
            }
            cover.window.bringToFront(takesKeyboard: !hasKeyboard && question == nil)
        }
        question?.bringToFront(takesKeyboard: !hasKeyboard)
    }
}

extension Widget {
    var isActiveWindow: Bool { gtk_window_is_active(UnsafeMutablePointer(pointer)) != 0 }

    /// Puts this window above those of other programs, as far as the desktop allows it.
    func bringToFront(takesKeyboard: Bool) {
        guard let surface = gtk_native_get_surface(pointer) else { return }
        gate_bring_to_front(surface, takesKeyboard ? 1 : 0)
        if takesKeyboard { gtk_window_present(UnsafeMutablePointer(pointer)) }
    }
}
