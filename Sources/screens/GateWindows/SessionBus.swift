import CGTK

/// The bus of the person's session. A session without a bus has no status icons and no notifications.
@GLibLoop
package final class SessionBus {
    let connection: OpaquePointer

    /// `nil` if there is no bus.
    package init?() {
        guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return nil }
        // Questions are shown without a bus, too.
        g_dbus_connection_set_exit_on_close(connection, 0)
        self.connection = connection
    }

    /// Takes a name for as long as this program runs, and waits for the bus's decision. Returns false if another
    /// program has the name, and true also if the bus does not answer.
    package func claims(_ name: String) -> Bool {
        // Flag 4: do not queue for the name. Answer 1: this program is the owner.
        let words = BusValue.tuple([.string(name), .uint32(4)])
        let answer = g_dbus_connection_call_sync(
            connection, Bus.name, Bus.path, Bus.name, "RequestName", words.variant(), nil, G_DBUS_CALL_FLAGS_NONE,
            Self.patience, nil, nil)
        guard let answer else { return true }
        defer { g_variant_unref(answer) }
        return BusValue(answer) == .tuple([.uint32(1)])
    }

    /// Takes a name from the program that has it, if that one allows it, and lets the next one take it in the same way,
    /// so only the newest has it. `lost` is called when another program has taken the name.
    package func takeOver(_ name: String, lost: @escaping @GLibLoop () -> Void) {
        onSignal(of: Bus.name, Bus.path, Bus.name) { signal, words in
            if signal == "NameLost", words == [.string(name)] { lost() }
        }
        // 1: allow replacement; 2: replace; 4: do not queue for the name.
        call(Bus.name, Bus.path, Bus.name, "RequestName", [.string(name), .uint32(1 | 2 | 4)])
    }

    /// Calls another program. The body receives the answer; `nil` after an error, or after five seconds.
    package func call(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ words: [BusValue],
        _ body: @escaping @GLibLoop (_ answer: BusValue?) -> Void = { _ in }
    ) {
        g_dbus_connection_call(
            connection, name, path, interface, method, BusValue.tuple(words).variant(), nil, G_DBUS_CALL_FLAGS_NONE,
            Self.patience, nil,
            { connection, result, data in
                guard let data else { return }
                let closure = Unmanaged<AnswerClosure>.fromOpaque(data).takeRetainedValue()
                let answer = g_dbus_connection_call_finish(connection.map { OpaquePointer($0) }, result, nil)
                let value = answer.map { BusValue($0) }
                if let answer { g_variant_unref(answer) }
                GLibLoop.assumeIsolated { closure.body(value) }
            }, Unmanaged.passRetained(AnswerClosure(body)).toOpaque())
    }

    /// Calls the body for each signal of another program's object, for as long as this program runs.
    package func onSignal(
        of name: String, _ path: String, _ interface: String,
        _ body: @escaping @GLibLoop (_ signal: String, _ words: [BusValue]) -> Void
    ) {
        _ = g_dbus_connection_signal_subscribe(
            connection, name, interface, nil, path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, signal, words, data in
                guard let data, let signal, let words else { return }
                let closure = Unmanaged<SignalWordsClosure>.fromOpaque(data).takeUnretainedValue()
                let (name, elements) = (String(cString: signal), BusValue(words).elements)
                GLibLoop.assumeIsolated { closure.body(name, elements) }
            }, Unmanaged.passRetained(SignalWordsClosure(body)).toOpaque(), nil)
    }

    /// Calls the body with whether any program has this name: soon, then after each change, while this program runs.
    package func onOwner(of name: String, _ body: @escaping @GLibLoop (_ isThere: Bool) -> Void) {
        g_bus_watch_name_on_connection(
            connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, _, data in ownerChanged(to: true, data) }, { _, _, data in ownerChanged(to: false, data) },
            Unmanaged.passRetained(OwnerClosure(body)).toOpaque(), nil)
    }

    /// How long an answer may take, in milliseconds.
    private static let patience: CInt = 5000
}

private enum Bus {
    static let name = "org.freedesktop.DBus"
    static let path = "/org/freedesktop/DBus"
}

private func ownerChanged(to isThere: Bool, _ data: gpointer?) {
    guard let data else { return }
    let closure = Unmanaged<OwnerClosure>.fromOpaque(data).takeUnretainedValue()
    GLibLoop.assumeIsolated { closure.body(isThere) }
}

private final class AnswerClosure: Sendable {
    let body: @GLibLoop (BusValue?) -> Void
    init(_ body: @escaping @GLibLoop (BusValue?) -> Void) { self.body = body }
}

private final class SignalWordsClosure: Sendable {
    let body: @GLibLoop (String, [BusValue]) -> Void
    init(_ body: @escaping @GLibLoop (String, [BusValue]) -> Void) { self.body = body }
}

private final class OwnerClosure: Sendable {
    let body: @GLibLoop (Bool) -> Void
    init(_ body: @escaping @GLibLoop (Bool) -> Void) { self.body = body }
}
