@testable import GateProtocol

/// What a descriptor set declares, as values to compare. Names are in full: "gate.v1.ModeState.Mode".
struct WireDescription: Hashable {
    struct File: Hashable {
        /// Like "gate/v1/mode.proto".
        var name: String
        var package: String
        var syntax: String
        var imports: [String]
        /// The places in `imports` of those that are `public` or `weak`.
        var specialImports: [UInt64] = []
    }

    struct Field: Hashable {
        var name: String
        var number: UInt64
        /// Like "uint32", or the full name of a message or an enum.
        var type: String
        var isMessage = false
        var isRepeated = false
        var oneof: String?
    }

    struct Message: Hashable {
        var file: String
        var name: String
        var fields: [Field]
    }

    struct Value: Hashable {
        var name: String
        var number: UInt64
    }

    struct Enumeration: Hashable {
        var file: String
        var name: String
        var values: [Value]
        var allowsAliases = false
    }

    struct Method: Hashable {
        var name: String
        var input: String
        var output: String
        var isClientStream = false
        var isServerStream = false
    }

    struct Service: Hashable {
        var file: String
        var name: String
        var methods: [Method]
    }

    var files: [File] = []
    var messages: [Message] = []
    var enumerations: [Enumeration] = []
    var services: [Service] = []
}

extension WireDescription {
    /// The description that is compiled in.
    static let current = WireDescription(descriptorSet: ServiceCatalog.fileDescriptorSet)

    /// - Parameter descriptorSet: an encoded `google.protobuf.FileDescriptorSet`.
    init(descriptorSet: [UInt8]) {
        for file in EncodedFields(bytes: descriptorSet[...]).messages(1) {
            let name = file.text(1)
            let package = file.text(2)
            files.append(
                File(
                    name: name, package: package, syntax: file.text(12), imports: file.texts(3),
                    specialImports: file.numbers(10) + file.numbers(11)))
            for message in file.messages(4) { add(message, of: name, in: package) }
            for enumeration in file.messages(5) { add(enumeration: enumeration, of: name, in: package) }
            for service in file.messages(6) {
                let methods = service.messages(2).map {
                    Method(
                        name: $0.text(1), input: Self.reference($0.text(2)), output: Self.reference($0.text(3)),
                        isClientStream: $0.flag(5), isServerStream: $0.flag(6))
                }
                services.append(Service(file: name, name: "\(package).\(service.text(1))", methods: methods))
            }
        }
    }

    private mutating func add(_ message: EncodedFields, of file: String, in scope: String) {
        let name = "\(scope).\(message.text(1))"
        let oneofs = message.messages(8).map { $0.text(1) }
        let fields = message.messages(2).map { field in
            let type = field.numbers(5).last ?? 0
            return Field(
                name: field.text(1), number: field.numbers(3).last ?? 0,
                type: Self.scalars[type] ?? Self.reference(field.text(6)), isMessage: type == 11,
                isRepeated: field.numbers(4).last == 3,
                oneof: field.numbers(9).last.map { oneofs[Int($0)] })
        }
        messages.append(Message(file: file, name: name, fields: fields))
        for nested in message.messages(3) { add(nested, of: file, in: name) }
        for nested in message.messages(4) { add(enumeration: nested, of: file, in: name) }
    }

    private mutating func add(enumeration: EncodedFields, of file: String, in scope: String) {
        enumerations.append(
            Enumeration(
                file: file, name: "\(scope).\(enumeration.text(1))",
                values: enumeration.messages(2).map { Value(name: $0.text(1), number: $0.numbers(2).last ?? 0) },
                allowsAliases: enumeration.messages(3).contains { $0.flag(2) }))
    }

    private static func reference(_ name: String) -> String {
        name.hasPrefix(".") ? String(name.dropFirst()) : name
    }

    /// By the numbers of `google.protobuf.FieldDescriptorProto.Type`; those of messages and enums have names of their own.
    private static let scalars: [UInt64: String] = [
        1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32", 8: "bool",
        9: "string", 10: "group", 12: "bytes", 13: "uint32", 15: "sfixed32", 16: "sfixed64", 17: "sint32",
        18: "sint64",
    ]
}

/// The last part of a full name: "Mode" of "gate.v1.ModeState.Mode".
func lastPart(of name: String) -> String {
    String(name[(name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)...])
}
