import CGTK

/// An object on the session bus, which exists as long as this program runs.
@GLibLoop
package final class BusObject {
    private let bus: SessionBus
    private let path: String
    private let interface: String
    /// The value of a property; `nil` if there is none with that name.
    private let property: @GLibLoop (_ name: String) -> BusValue?
    /// The results of a method; `nil` if there is no such method, or it does not take these arguments.
    private let method: @GLibLoop (_ name: String, _ words: [BusValue]) -> [BusValue]?

    /// - Parameter description: the interfaces in D-Bus' XML. A mistake in it is a bug of ours, and traps.
    package init(
        on bus: SessionBus, at path: String, _ description: String, _ interface: String,
        property: @escaping @GLibLoop (_ name: String) -> BusValue?,
        method: @escaping @GLibLoop (_ name: String, _ words: [BusValue]) -> [BusValue]?
    ) {
        (self.bus, self.path, self.interface, self.property, self.method) = (bus, path, interface, property, method)
        guard let node = g_dbus_node_info_new_for_xml(description, nil),
            let found = g_dbus_node_info_lookup_interface(node, interface)
        else { preconditionFailure("\(interface) is not described") }
        defer { g_dbus_node_info_unref(node) }
        // A second object at the path is not exported, which is harmless.
        _ = g_dbus_connection_register_object(
            bus.connection, path, found, Self.table, Unmanaged.passRetained(self).toOpaque(), nil, nil)
    }

    package func emit(_ signal: String, _ words: [BusValue] = []) {
        g_dbus_connection_emit_signal(
            bus.connection, nil, path, interface, signal, BusValue.tuple(words).variant(), nil)
    }

    /// GLib keeps the pointer, so the table is never moved or freed.
    private static let table: UnsafePointer<GDBusInterfaceVTable> = {
        let table = UnsafeMutablePointer<GDBusInterfaceVTable>.allocate(capacity: 1)
        var made = GDBusInterfaceVTable()
        made.method_call = { _, _, _, _, name, words, invocation, data in
            guard let data, let name, let words, let invocation else { return }
            let object = Unmanaged<BusObject>.fromOpaque(data).takeUnretainedValue()
            let (method, elements) = (String(cString: name), BusValue(words).elements)
            let answer = GLibLoop.assumeIsolated { object.method(method, elements) }
            if let answer {
                g_dbus_method_invocation_return_value(invocation, BusValue.tuple(answer).variant())
            } else {
                g_dbus_method_invocation_return_dbus_error(
                    invocation, "org.freedesktop.DBus.Error.InvalidArgs", "There is nothing of that number or name.")
            }
        }
        made.get_property = { _, _, _, _, name, error, data in
            guard let data, let name else { return nil }
            let object = Unmanaged<BusObject>.fromOpaque(data).takeUnretainedValue()
            let property = String(cString: name)
            guard let value = GLibLoop.assumeIsolated({ object.property(property) }) else {
                error?.pointee = g_error_new_literal(
                    g_dbus_error_quark(), CInt(bitPattern: G_DBUS_ERROR_UNKNOWN_PROPERTY.rawValue),
                    "There is no such property.")
                return nil
            }
            return value.variant()
        }
        table.initialize(to: made)
        return UnsafePointer(table)
    }()
}
