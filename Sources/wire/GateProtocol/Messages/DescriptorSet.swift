/// Finds out which methods stream: protobuf-c's descriptors don't say, so it is read from the descriptor set of protoc.
enum DescriptorSet {
    /// The full names ("gate.v1.Watch.Audit") of these methods in an encoded `google.protobuf.FileDescriptorSet`.
    static func serverStreams(in descriptorSet: [UInt8]) -> Set<String> {
        var streams: Set<String> = []
        for file in EncodedFields(bytes: descriptorSet[...]).messages(1) {
            let package = file.text(2)
            for service in file.messages(6) {
                let serviceName = service.text(1)
                for method in service.messages(2) where method.flag(6) {
                    streams.insert("\(package).\(serviceName).\(method.text(1))")
                }
            }
        }
        return streams
    }
}
