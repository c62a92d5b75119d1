import CGTK

/// A closure that GTK calls. It is owned by the object to which it is connected.
private final class SignalClosure: Sendable {
    let body: @GLibLoop () -> Void

    init(_ body: @escaping @GLibLoop () -> Void) {
        self.body = body
    }
}

private final class KeyClosure: Sendable {
    let body: @GLibLoop (_ key: UInt32) -> Bool

    init(_ body: @escaping @GLibLoop (UInt32) -> Bool) {
        self.body = body
    }
}

private final class TextClosure: Sendable {
    let body: @GLibLoop (String) -> Void

    init(_ body: @escaping @GLibLoop (String) -> Void) {
        self.body = body
    }
}

private final class TypingClosure: Sendable {
    let body: @GLibLoop (_ key: UInt32, _ isWithControl: Bool) -> Bool

    init(_ body: @escaping @GLibLoop (UInt32, Bool) -> Bool) {
        self.body = body
    }
}

extension Widget {
    package func on(_ signal: String, _ body: @escaping @GLibLoop () -> Void) {
        connect(signal, to: pointer, body)
    }

    /// Calls the body when the person closes the window, instead of closing it.
    package func onCloseRequest(_ body: @escaping @GLibLoop () -> Void) {
        let callback: @convention(c) (gpointer?) -> gboolean = { data in
            call(data)
            return 1
        }
        connectSwapped("close-request", to: pointer, unsafeBitCast(callback, to: GCallback.self), SignalClosure(body))
    }

    /// Calls the body with each key before the widgets inside of this one receive it. If it returns true, they don't.
    package func onKey(_ body: @escaping @GLibLoop (_ key: UInt32) -> Bool) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        let call: @convention(c) (gpointer?, guint) -> gboolean = { data, key in
            guard let data else { return 0 }
            let closure = Unmanaged<KeyClosure>.fromOpaque(data).takeUnretainedValue()
            return GLibLoop.assumeIsolated { closure.body(key) } ? 1 : 0
        }
        connectSwapped(
            "key-pressed", to: controller, unsafeBitCast(call, to: GCallback.self), KeyClosure(body))
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls a body when a key is pressed while this has the keyboard focus: `text` with what the keyboard's layout and
    /// GTK's own compose keys make, without an input method of the desktop, or `key` if the key types no text.
    package func onTyping(
        text: @escaping @GLibLoop (String) -> Void,
        key: @escaping @GLibLoop (_ key: UInt32, _ isWithControl: Bool) -> Bool
    ) {
        guard let controller = gtk_event_controller_key_new(), let accents = gtk_im_context_simple_new() else { return }
        let commit: @convention(c) (gpointer?, UnsafePointer<CChar>?) -> Void = { data, text in
            guard let data, let text else { return }
            let closure = Unmanaged<TextClosure>.fromOpaque(data).takeUnretainedValue()
            GLibLoop.assumeIsolated { closure.body(String(cString: text)) }
        }
        connectSwapped(
            "commit", to: OpaquePointer(accents), unsafeBitCast(commit, to: GCallback.self), TextClosure(text))
        gtk_event_controller_key_set_im_context(controller, accents)
        g_object_unref(accents)
        let press: @convention(c) (gpointer?, guint, guint, GdkModifierType) -> gboolean = { data, key, _, state in
            guard let data else { return 0 }
            let closure = Unmanaged<TypingClosure>.fromOpaque(data).takeUnretainedValue()
            return GLibLoop.assumeIsolated { closure.body(key, state.rawValue & GDK_CONTROL_MASK.rawValue != 0) }
                ? 1 : 0
        }
        connectSwapped("key-pressed", to: controller, unsafeBitCast(press, to: GCallback.self), TypingClosure(key))
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls the body whenever another object emits the signal, until this widget is destroyed.
    package func on(_ signal: String, of other: OpaquePointer, _ body: @escaping @GLibLoop () -> Void) {
        let callback: @convention(c) (gpointer?) -> Void = { call($0) }
        let held = Unmanaged.passRetained(SignalClosure(body)).toOpaque()
        let closure = g_cclosure_new_swap(unsafeBitCast(callback, to: GCallback.self), held, release)
        g_object_watch_closure(UnsafeMutablePointer(pointer), closure)
        g_signal_connect_closure(UnsafeMutableRawPointer(other), signal, closure, 0)
    }

    /// Calls the body when a key is released while this has the keyboard focus.
    package func onKeyUp(_ body: @escaping @GLibLoop (_ key: UInt32) -> Void) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        let call: @convention(c) (gpointer?, guint) -> Void = { data, key in
            guard let data else { return }
            let closure = Unmanaged<KeyClosure>.fromOpaque(data).takeUnretainedValue()
            _ = GLibLoop.assumeIsolated { closure.body(key) }
        }
        let closure = KeyClosure { key in
            body(key)
            return false
        }
        connectSwapped("key-released", to: controller, unsafeBitCast(call, to: GCallback.self), closure)
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls the body when the keyboard focus leaves this widget and everything inside of it.
    package func onFocusLeft(_ body: @escaping @GLibLoop () -> Void) {
        guard let controller = gtk_event_controller_focus_new() else { return }
        connect("leave", to: controller, body)
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls the body after the widget was drawn as it is now.
    package func onceDrawn(_ body: @escaping @GLibLoop () -> Void) {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        let closure = OnceDrawn(body)
        let call: @convention(c) (gpointer?) -> Void = { data in
            guard let data else { return }
            let closure = Unmanaged<OnceDrawn>.fromOpaque(data).takeUnretainedValue()
            GLibLoop.assumeIsolated { closure.painted() }
        }
        closure.clock = clock
        closure.handler = connectSwapped("after-paint", to: clock, unsafeBitCast(call, to: GCallback.self), closure)
        gtk_widget_queue_draw(widget)
    }
}

/// Waits for one frame, and then disconnects from the clock.
@GLibLoop
private final class OnceDrawn {
    let body: @GLibLoop () -> Void
    var clock: OpaquePointer?
    var handler: gulong = 0

    init(_ body: @escaping @GLibLoop () -> Void) {
        self.body = body
    }

    func painted() {
        guard let clock else { return }
        self.clock = nil
        let body = body
        g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
        body()
    }
}

@GLibLoop
private func connect(_ signal: String, to object: OpaquePointer, _ body: @escaping @GLibLoop () -> Void) {
    // A signal's other arguments come behind the closure. In C's calling convention a function may ignore them.
    let callback: @convention(c) (gpointer?) -> Void = { call($0) }
    connectSwapped(signal, to: object, unsafeBitCast(callback, to: GCallback.self), SignalClosure(body))
}

private func call(_ data: gpointer?) {
    guard let data else { return }
    let closure = Unmanaged<SignalClosure>.fromOpaque(data).takeUnretainedValue()
    GLibLoop.assumeIsolated { closure.body() }
}

/// Connects a C callback, whose first argument is the closure, which lives as long as the connection. Returns the
/// connection's id, for `g_signal_handler_disconnect`.
@GLibLoop
@discardableResult
func connectSwapped(
    _ signal: String, to object: OpaquePointer, _ callback: @escaping GCallback, _ closure: AnyObject
) -> gulong {
    g_signal_connect_data(
        UnsafeMutableRawPointer(object), signal, callback, Unmanaged.passRetained(closure).toOpaque(), release,
        G_CONNECT_SWAPPED)
}

private let release: @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
    guard let data else { return }
    Unmanaged<AnyObject>.fromOpaque(data).release()
}
