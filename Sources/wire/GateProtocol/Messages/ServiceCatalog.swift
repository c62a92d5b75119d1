package import CGateProtocol

/// One service, as the generated code describes it.
package struct ServiceDescription: Hashable, Sendable {
    /// The full name, for example "gate.v1.Mode".
    package let name: String
    /// In the order of the .proto file.
    package let methods: [MethodDescription]
}

/// One method, with everything that is needed to call it by its name alone.
///
/// It can be `Sendable` unchecked, because its pointers lead to generated constants.
package struct MethodDescription: Hashable, @unchecked Sendable {
    /// The full name, for example "gate.v1.Mode".
    package let service: String
    package let name: String
    package let input: UnsafePointer<ProtobufCMessageDescriptor>
    package let output: UnsafePointer<ProtobufCMessageDescriptor>
    package let isServerStream: Bool
    /// The index of the method in `ServiceCatalog.methods`.
    package let number: Int
}

/// Every service and method that was compiled in. Nothing here is written by hand: names and messages come from the
/// generated descriptors, and the descriptor set that `protoc` wrote says which methods stream.
package enum ServiceCatalog {
    package static let all: [ServiceDescription] = makeServices()

    /// The encoded `google.protobuf.FileDescriptorSet` of proto/gate/v1.
    package static let fileDescriptorSet = [UInt8](
        UnsafeBufferPointer(start: gate_descriptor_set, count: gate_descriptor_set_size))

    /// - Parameter service: The full name, for example "gate.v1.Mode".
    /// - Returns: `nil` if there is no such method.
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
