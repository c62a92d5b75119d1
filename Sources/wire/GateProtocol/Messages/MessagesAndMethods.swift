package import CGateProtocol
package import GateModel
import ProtobufScan

/// A message of `gate.v1` as a Swift value, in a file named after its service or subject, such as `ModeWire.swift`. To
/// add one, write a package struct with its fields, and its `MessageMapping` to the C struct that `protoc-c` generated.
/// Messages with the same fields share a generic struct, mostly of the folder `Shapes`; such a message is only a
/// typealias.
package protocol WireMessage: Equatable, Sendable {
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`). The parameter "field" is the path of the field that is wrong.
    init(decoding bytes: UnsafeRawBufferPointer) throws(GateError)

    func encoded() -> [UInt8]

    /// libprotobuf-c's description of the message, for `MessageJSON`. It lives as long as the process.
    static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> { get }
}

extension WireMessage {
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`), naming the field that is wrong.
    package init(decoding bytes: [UInt8]) throws(GateError) {
        self = try bytes.span.bytes.withUnsafeBytes { bytes throws(GateError) in try Self(decoding: bytes) }
    }
}

/// A value that has a C struct in the generated code: a whole message, or a part of one.
protocol MessageMapping {
    associatedtype CMessage: CStruct

    /// - Throws: `INVALID_ARGUMENT` if a field has a value that this version does not understand.
    init(reading message: CMessage) throws(GateError)

    /// Sets the fields of a message whose fields have their defaults.
    func write(to message: inout CMessage, in arena: inout MessageArena)
}

/// A struct of the generated C code. `proto/generate` writes the conformances into CStructs.swift.
package protocol CStruct {
    /// The generated function that sets every field to its default.
    static var initialise: Initialise<Self> { get }
}

package typealias Initialise<CMessage> = (UnsafeMutablePointer<CMessage>?) -> Void

/// A message that travels by itself, not as a part of another one.
protocol MappedMessage: WireMessage, MessageMapping {
    /// How much a message may hold. Only answers may exceed `standard`, because no peer sends them to the daemon.
    static var scanLimits: ScanLimits { get }
}

extension MappedMessage {
    static var scanLimits: ScanLimits { .standard }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(GateError) {
        do throws(GateError) {
            self = try MessageArena.with { arena throws(GateError) in
                let message: UnsafePointer<CMessage>
                if bytes.isEmpty {
                    // Every field has its default, so nothing needs scanning.
                    message = UnsafePointer(arena.blank())
                } else {
                    let unpacked = try arena.unpackScanned(bytes, as: Self.descriptor, limits: Self.scanLimits)
                    message = UnsafeRawPointer(unpacked).assumingMemoryBound(to: CMessage.self)
                }
                return try Self(reading: message.pointee)
            }
        } catch {
            throw error.namingPath(from: Self.descriptor)
        }
    }

    package func encoded() -> [UInt8] {
        MessageArena.with { arena in
            let message = UnsafeRawPointer(arena.message(self))
            return MessageArena.pack(message.assumingMemoryBound(to: ProtobufCMessage.self))
        }
    }

    // Read from a message: Swift may see a copy of the generated descriptor, and libprotobuf-c compares addresses.
    package static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
        MessageArena.with { arena in
            let message: UnsafeMutablePointer<CMessage> = arena.blank()
            return UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
        }
    }
}

extension MessageArena {
    /// Scans the bytes, and unpacks them if they pass.
    /// - Throws: `INVALID_ARGUMENT` if the scan or libprotobuf-c refuses them.
    mutating func unpackScanned(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
        limits: ScanLimits = .standard
    ) throws(GateError) -> UnsafeMutablePointer<ProtobufCMessage> {
        do throws(ScanError) {
            try scan(bytes, as: descriptor, limits: limits)
        } catch {
            throw .invalid(error.place, error.description)
        }
        guard let message = unpack(bytes, as: descriptor) else {
            throw .wrong(String(cString: descriptor.pointee.name), "can't be decoded")
        }
        return message
    }
}

extension GateError {
    /// An error that refuses a field, or a message as a whole, by its full name, for example "gate.v1.Child.born",
    /// which `MappedMessage` then replaces by its path. `what` is the rest of the sentence, for example "is not set".
    static func wrong(_ field: String, _ what: String) -> GateError {
        .invalid(field, "\(field) \(what)")
    }

    /// The same error, in whose parameter "field" the path from this message replaces the full name.
    fileprivate func namingPath(from message: UnsafePointer<ProtobufCMessageDescriptor>) -> GateError {
        guard let path = parameters["field"].flatMap({ message.path(to: $0) }) else { return self }
        var error = self
        error.parameters["field"] = path
        return error
    }
}

extension UnsafePointer<ProtobufCMessageDescriptor> {
    /// The path of a field from this message, for example "account.child.born"; `nil` if it is not in it. `depth` is
    /// how many levels are searched, which ends the search in a message that contains itself.
    fileprivate func path(to fullName: String, depth: Int = 16) -> String? {
        guard depth > 0 else { return nil }
        let own = String(cString: pointee.name)
        if fullName == own { return "" }
        if fullName.hasPrefix(own + ".") {
            let rest = fullName.dropFirst(own.utf8.count + 1)
            if !rest.contains(".") { return String(rest) }
        }
        for field in UnsafeBufferPointer(start: pointee.fields, count: Int(pointee.n_fields))
        where field.type == PROTOBUF_C_TYPE_MESSAGE {
            let inner = field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            let name = String(cString: field.name)
            if let rest = Self(inner).path(to: fullName, depth: depth - 1) {
                return rest.isEmpty ? name : "\(name).\(rest)"
            }
        }
        return nil
    }
}

// MARK: Reading the fields of a C struct

extension MessageMapping {
    /// Reads a part that has to be there.
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the part is absent; and the errors of the part itself.
    init(reading part: UnsafeMutablePointer<CMessage>?, of field: @autoclosure () -> String) throws(GateError) {
        guard let part else { throw .wrong(field(), "is not set") }
        self = try Self(reading: part.pointee)
    }

    init?(optional part: UnsafeMutablePointer<CMessage>?) throws(GateError) {
        guard let part else { return nil }
        self = try Self(reading: part.pointee)
    }
}

extension [UInt8] {
    init(reading field: ProtobufCBinaryData) {
        self.init(UnsafeBufferPointer(start: field.data, count: field.len))
    }
}

extension GateSecret {
    init(reading field: ProtobufCBinaryData) {
        self.init(UnsafeRawBufferPointer(start: field.data, count: field.len))
    }
}

extension String {
    init(reading text: UnsafeMutablePointer<CChar>?) {
        self = text.map { String(cString: $0) } ?? ""
    }
}

extension [String] {
    init(reading texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, count: Int) {
        self = UnsafeBufferPointer(start: texts, count: count).map { String(reading: $0) }
    }
}

extension Array where Element: MessageMapping {
    init(
        reading messages: UnsafeMutablePointer<UnsafeMutablePointer<Element.CMessage>?>?, count: Int
    ) throws(GateError) {
        self.init()
        reserveCapacity(count)
        for case let message? in UnsafeBufferPointer(start: messages, count: count) {
            append(try Element(reading: message.pointee))
        }
    }
}

/// A method of `gate.v1`, with the types of its messages.
package struct Method<Request: WireMessage, Response: WireMessage>: Sendable {
    package enum Kind: Hashable, Sendable {
        case unary
        case serverStream
    }

    package let service: String
    package let name: String
    package let kind: Kind

    init(_ service: String, _ name: String, _ kind: Kind = .unary) {
        self.service = service
        self.name = name
        self.kind = kind
    }
}

/// Every method of the .proto files, by service. Each is declared at the top of the file that has its messages, such as
/// `ModeWire.swift`. A test compares them with `ServiceCatalog`.
package enum Methods {}

package struct ServiceDescription: Hashable, Sendable {
    package let name: String
    /// In the order of the .proto file.
    package let methods: [MethodDescription]
}

/// What is needed to call a method by its name. `Sendable` unchecked, since it only points to generated constants.
package struct MethodDescription: Hashable, @unchecked Sendable {
    package let service: String
    package let name: String
    package let input: UnsafePointer<ProtobufCMessageDescriptor>
    package let output: UnsafePointer<ProtobufCMessageDescriptor>
    package let isServerStream: Bool
    package let number: Int
}

/// Every service and method that was compiled in. Nothing here is written by hand: names and messages come from the
/// generated descriptors, and the descriptor set that `protoc` wrote says which methods stream.
package enum ServiceCatalog {
    package static let all: [ServiceDescription] = makeServices()

    /// The encoded `google.protobuf.FileDescriptorSet` of proto/gate/v1.
    package static let fileDescriptorSet = [UInt8](
        UnsafeBufferPointer(start: gate_descriptor_set, count: gate_descriptor_set_size))

    /// Returns `nil` if there is no such method. `service` is the full name, for example "gate.v1.Mode".
    package static func find(service: String, method: String) -> MethodDescription? {
        numbers[MethodName(service: service, method: method)].map { methods[$0] }
    }

    private struct MethodName: Hashable {
        let service: String
        let method: String
    }

    /// All methods of all services; each stands at the index `number`.
    package static let methods: [MethodDescription] = all.flatMap(\.methods)

    private static let numbers: [MethodName: Int] = Dictionary(
        uniqueKeysWithValues: methods.map { (MethodName(service: $0.service, method: $0.name), $0.number) })

    private static func makeServices() -> [ServiceDescription] {
        let streams = DescriptorSet.serverStreams(in: fileDescriptorSet)
        var services: [ServiceDescription] = []
        var count = 0
        var next = gate_services
        while let service = next?.pointee {
            let name = String(cString: service.pointee.name)
            let methods = UnsafeBufferPointer(start: service.pointee.methods, count: Int(service.pointee.n_methods))
            services.append(
                ServiceDescription(
                    name: name,
                    methods: methods.map { method in
                        let methodName = String(cString: method.name)
                        defer { count += 1 }
                        return MethodDescription(
                            service: name, name: methodName, input: method.input, output: method.output,
                            isServerStream: streams.contains("\(name).\(methodName)"), number: count)
                    }))
            next = next?.advanced(by: 1)
        }
        return services
    }
}
