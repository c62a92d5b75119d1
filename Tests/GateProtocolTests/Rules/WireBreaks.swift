/// Changes that a wire may not make: whatever an older client knows must still be there, with the same meaning.
enum WireBreaks {
    /// - Returns: a line for each thing that went away or changed; empty where the new wire has only grown.
    static func breaks(from old: WireDescription, to new: WireDescription) -> [String] {
        messageBreaks(from: old, to: new) + enumBreaks(from: old, to: new) + serviceBreaks(from: old, to: new)
    }

    private static func messageBreaks(from old: WireDescription, to new: WireDescription) -> [String] {
        let messages = Dictionary(uniqueKeysWithValues: new.messages.map { ($0.name, $0) })
        return old.messages.flatMap { message -> [String] in
            guard let now = messages[message.name] else { return ["message \(message.name) is gone"] }
            let fields = Dictionary(uniqueKeysWithValues: now.fields.map { ($0.number, $0) })
            return message.fields.flatMap { field -> [String] in
                let name = "field \(field.number) of \(message.name)"
                guard let now = fields[field.number] else { return ["\(name), \(field.name), is gone"] }
                return changes(
                    of: name,
                    [
                        ("name", field.name, now.name), ("type", field.type, now.type),
                        ("label", field.label, now.label), ("oneof", field.oneof ?? "none", now.oneof ?? "none"),
                    ])
            }
        }
    }

    private static func enumBreaks(from old: WireDescription, to new: WireDescription) -> [String] {
        let enumerations = Dictionary(uniqueKeysWithValues: new.enumerations.map { ($0.name, $0) })
        return old.enumerations.flatMap { enumeration -> [String] in
            guard let now = enumerations[enumeration.name] else { return ["enum \(enumeration.name) is gone"] }
            return enumeration.values.flatMap { value -> [String] in
                let name = "value \(value.number) of \(enumeration.name)"
                let names = now.values.filter { $0.number == value.number }.map(\.name)
                guard !names.isEmpty else { return ["\(name), \(value.name), is gone"] }
                return names.contains(value.name) ? [] : changes(of: name, [("name", value.name, names[0])])
            }
        }
    }

    private static func serviceBreaks(from old: WireDescription, to new: WireDescription) -> [String] {
        let services = Dictionary(uniqueKeysWithValues: new.services.map { ($0.name, $0) })
        return old.services.flatMap { service -> [String] in
            guard let now = services[service.name] else { return ["service \(service.name) is gone"] }
            return service.methods.flatMap { method -> [String] in
                let name = "method \(service.name)/\(method.name)"
                guard let now = now.methods.first(where: { $0.name == method.name }) else { return ["\(name) is gone"] }
                return changes(
                    of: name,
                    [
                        ("request", method.input, now.input), ("response", method.output, now.output),
                        ("streams", method.streams, now.streams),
                    ])
            }
        }
    }

    private static func changes(of name: String, _ sides: [(what: String, old: String, new: String)]) -> [String] {
        sides.filter { $0.old != $0.new }.map { "the \($0.what) of \(name) was \($0.old) and is \($0.new)" }
    }
}

extension WireDescription.Field {
    fileprivate var label: String { isRepeated ? "repeated" : "single" }
}

extension WireDescription.Method {
    fileprivate var streams: String {
        switch (isClientStream, isServerStream) {
        case (false, false): "none"
        case (true, false): "requests"
        case (false, true): "responses"
        case (true, true): "both"
        }
    }
}
