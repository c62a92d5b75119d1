import CGTK
import GateScreens
import GateWindows
import Glibc

/// logind, which gives the monitor to sessions: which one has it now, and a request to give it to another one.
@GLibLoop
final class Logind {
    let own: ScreenSwitchStateMachine.Place
    private let bus: OpaquePointer
    private let seat: String
    private var changed: (@GLibLoop () -> Void)?

    private static let name = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"
    /// In milliseconds. logind answers at once, or not at all.
    private static let timeout: CInt = 5_000

    /// - Returns: `nil` if this program is in no session on a seat. Nobody can give it the monitor then.
    init?() {
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, nil) else { return nil }
        self.bus = bus
        // The session in the environment, or else the session of this process.
        let session =
            getenv("XDG_SESSION_ID").flatMap {
                Self.call(bus, "GetSession", Value.tuple([g_variant_new_string($0)]))
            } ?? Self.call(bus, "GetSessionByPID", Value.tuple([g_variant_new_uint32(0)]))
        guard let path = session?.string(at: 0),
            let name = Self.property("Id", of: path, "Session", on: bus)?.string,
            let seat = Self.property("Seat", of: path, "Session", on: bus)?.string(at: 1), seat != "/"
        else { return nil }
        own = .session(name)
        self.seat = seat
    }

    /// The place that has the monitor; `nil` if it is not known.
    var active: ScreenSwitchStateMachine.Place? {
        if let name = Self.property("ActiveSession", of: seat, "Seat", on: bus)?.string(at: 0), !name.isEmpty {
            return .session(name)
        }
        return Self.activeTerminal.map { .terminal($0) }
    }

    /// Calls the body whenever another place may have got the monitor, for as long as this program runs.
    func onChange(_ body: @escaping @GLibLoop () -> Void) {
        changed = body
        let callback: GDBusSignalCallback = { _, _, _, _, _, _, data in
            guard let data else { return }
            let logind = Unmanaged<Logind>.fromOpaque(data).takeUnretainedValue()
            GLibLoop.assumeIsolated { logind.changed?() }
        }
        g_dbus_connection_signal_subscribe(
            bus, Self.name, "org.freedesktop.DBus.Properties", "PropertiesChanged", seat, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            callback, Unmanaged.passRetained(self).toOpaque(), nil)
    }

    /// Asks logind to give the monitor to this place. `onChange` reports whether it did. A refusal is logged.
    func bring(_ place: ScreenSwitchStateMachine.Place) {
        let told: GAsyncReadyCallback = { source, result, _ in
            var error: UnsafeMutablePointer<GError>?
            guard let answer = g_dbus_connection_call_finish(source.map { OpaquePointer($0) }, result, &error) else {
                let why = error.map { String(cString: $0.pointee.message) } ?? "no answer"
                PresenterProgram.complain("the monitor was not switched: \(why)")
                g_error_free(error)
                return
            }
            g_variant_unref(answer)
        }
        switch place {
        case .session(let name):
            g_dbus_connection_call(
                bus, Self.name, Self.manager, "\(Self.name).Manager", "ActivateSession",
                Value.tuple([g_variant_new_string(name)]), nil, G_DBUS_CALL_FLAGS_NONE, Self.timeout, nil, told, nil)
        case .terminal(let number):
            g_dbus_connection_call(
                bus, Self.name, seat, "\(Self.name).Seat", "SwitchTo", Value.tuple([g_variant_new_uint32(number)]), nil,
                G_DBUS_CALL_FLAGS_NONE, Self.timeout, nil, told, nil)
        }
    }

    private static func call(_ bus: OpaquePointer, _ method: String, _ arguments: OpaquePointer?) -> Value? {
        g_dbus_connection_call_sync(
            bus, name, manager, "\(name).Manager", method, arguments, nil, G_DBUS_CALL_FLAGS_NONE, timeout, nil, nil
        ).map { Value($0) }
    }

    private static func property(
        _ property: String, of path: String, _ interface: String, on bus: OpaquePointer
    ) -> Value? {
        let arguments = Value.tuple([g_variant_new_string("\(name).\(interface)"), g_variant_new_string(property)])
        guard
            let answer = g_dbus_connection_call_sync(
                bus, name, path, "org.freedesktop.DBus.Properties", "Get", arguments, nil, G_DBUS_CALL_FLAGS_NONE,
                timeout, nil, nil)
        else { return nil }
        return Value(answer).child(0)?.inner
    }

    /// The number of the visible virtual terminal.
    private static var activeTerminal: UInt32? {
        guard let file = fopen("/sys/class/tty/tty0/active", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, CInt(line.count), file) != nil else { return nil }
        return UInt32(String(decoding: line.compactMap { (48...57).contains($0) ? UInt8($0) : nil }, as: UTF8.self))
    }
}

/// A D-Bus value. This object owns it.
private final class Value {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        g_variant_unref(pointer)
    }

    static func tuple(_ values: [OpaquePointer?]) -> OpaquePointer? { g_variant_new_tuple(values, gsize(values.count)) }

    func child(_ index: Int) -> Value? {
        guard g_variant_is_container(pointer) != 0, index < g_variant_n_children(pointer) else { return nil }
        return g_variant_get_child_value(pointer, gsize(index)).map { Value($0) }
    }

    var inner: Value? { g_variant_get_variant(pointer).map { Value($0) } }

    var string: String? {
        guard ["s", "o"].contains(String(cString: g_variant_get_type_string(pointer))) else { return nil }
        return g_variant_get_string(pointer, nil).map { String(cString: $0) }
    }

    func string(at index: Int) -> String? { child(index)?.string }
}
