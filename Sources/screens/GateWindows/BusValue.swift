import CGTK

/// A value on D-Bus.
package indirect enum BusValue: Hashable, Sendable {
    case boolean(Bool)
    case byte(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    case string(String)
    case objectPath(String)
    case bytes([UInt8])
    /// Values of one type, which D-Bus has to know even if the array is empty. `as` has elements of type `s`.
    case array(of: String, [BusValue])
    /// Names with values of any type: `a{sv}`.
    case dictionary([String: BusValue])
    case tuple([BusValue])
    case any(BusValue)
    /// A received value of a type that Gate does not use.
    case other
}

extension BusValue {
    /// The strings in this array. Empty if it is none.
    package var strings: [String] {
        elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The elements of this array or tuple. Empty if it is neither.
    package var elements: [BusValue] {
        switch self {
        case .array(_, let elements), .tuple(let elements): elements
        case .any(let value): value.elements
        case .boolean, .byte, .int32, .uint32, .string, .objectPath, .bytes, .dictionary, .other: []
        }
    }

    /// The boolean in this value; `nil` if it is none.
    package var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .any(let value): value.boolean
        case .byte, .int32, .uint32, .string, .objectPath, .bytes, .array, .dictionary, .tuple, .other: nil
        }
    }

    /// The value as GLib's `GVariant`, with a floating reference: the function that takes it owns it.
    func variant() -> OpaquePointer {
        let made: OpaquePointer? =
            switch self {
            case .boolean(let value): g_variant_new_boolean(value ? 1 : 0)
            case .byte(let value): g_variant_new_byte(value)
            case .int32(let value): g_variant_new_int32(value)
            case .uint32(let value): g_variant_new_uint32(value)
            case .string(let text): g_variant_new_string(text)
            case .objectPath(let path): g_variant_new_object_path(path)
            case .bytes(let bytes): Self.variant(bytes)
            case .array(let type, let elements): Self.variant(elements, type)
            case .dictionary(let entries): Self.variant(entries)
            case .tuple(let parts): Self.variant(tuple: parts)
            case .any(let value): g_variant_new_variant(value.variant())
            case .other: preconditionFailure("a value that Gate has no use for is sent to nobody")
            }
        guard let made else { preconditionFailure("GLib makes no values") }
        return made
    }

    private static func variant(_ bytes: [UInt8]) -> OpaquePointer? {
        let type = g_variant_type_new("y")
        defer { g_variant_type_free(type) }
        return bytes.withUnsafeBytes { g_variant_new_fixed_array(type, $0.baseAddress, gsize($0.count), 1) }
    }

    private static func variant(_ elements: [BusValue], _ name: String) -> OpaquePointer? {
        let type = g_variant_type_new(name)
        defer { g_variant_type_free(type) }
        let children = elements.map { Optional($0.variant()) }
        return g_variant_new_array(type, children, gsize(children.count))
    }

    private static func variant(_ entries: [String: BusValue]) -> OpaquePointer? {
        let type = g_variant_type_new("{sv}")
        defer { g_variant_type_free(type) }
        let children = entries.map {
            g_variant_new_dict_entry(g_variant_new_string($0.key), g_variant_new_variant($0.value.variant()))
        }
        return g_variant_new_array(type, children, gsize(children.count))
    }

    private static func variant(tuple parts: [BusValue]) -> OpaquePointer? {
        let children = parts.map { Optional($0.variant()) }
        return g_variant_new_tuple(children, gsize(children.count))
    }

    /// A value that another program has sent. Values that are nested deeper than those of any menu become `other`.
    init(_ variant: OpaquePointer, depth: Int = 8) {
        guard depth > 0, let type = g_variant_get_type_string(variant).map({ String(cString: $0) }) else {
            self = .other
            return
        }
        self =
            switch type.first {
            case "b": .boolean(g_variant_get_boolean(variant) != 0)
            case "i": .int32(g_variant_get_int32(variant))
            case "u": .uint32(g_variant_get_uint32(variant))
            case "s": .string(g_variant_get_string(variant, nil).map { String(cString: $0) } ?? "")
            case "o": .objectPath(g_variant_get_string(variant, nil).map { String(cString: $0) } ?? "")
            case "v": .any(Self.children(of: variant, depth).first ?? .other)
            case "(": .tuple(Self.children(of: variant, depth))
            case "a" where !type.hasPrefix("a{") && type != "ay":
                .array(of: String(type.dropFirst()), Self.children(of: variant, depth))
            case _: .other
            }
    }

    /// The most elements that are read. No menu and no server sends more.
    private static let mostElements: gsize = 256

    private static func children(of variant: OpaquePointer, _ depth: Int) -> [BusValue] {
        (0..<min(g_variant_n_children(variant), mostElements)).compactMap { index in
            guard let child = g_variant_get_child_value(variant, index) else { return nil }
            defer { g_variant_unref(child) }
            return BusValue(child, depth: depth - 1)
        }
    }
}
