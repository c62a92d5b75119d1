/// The one thing that protobuf-c's descriptors leave out and protoc's descriptor set holds: which methods stream.
enum DescriptorSet {
    /// The full names ("gate.v1.Watch.Audit") of the methods whose answers stream, in an encoded
    /// `google.protobuf.FileDescriptorSet`. Whatever is malformed ends the part that it is in.
    static func serverStreams(in descriptorSet: [UInt8]) -> Set<String> {
        var streams: Set<String> = []
        for file in fields(1, of: descriptorSet[...]) {
            let package = text(2, of: file)
            for service in fields(6, of: file) {
                let serviceName = text(1, of: service)
                for method in fields(2, of: service) where flag(6, of: method) {
                    streams.insert("\(package).\(serviceName).\(text(1, of: method))")
                }
            }
        }
        return streams
    }

    private enum Content {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed
    }

    private static func fields(_ number: UInt64, of message: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        contents(number, of: message).compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }

    private static func text(_ number: UInt64, of message: ArraySlice<UInt8>) -> String {
        fields(number, of: message).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func flag(_ number: UInt64, of message: ArraySlice<UInt8>) -> Bool {
        contents(number, of: message).contains { if case .number(let value) = $0 { value != 0 } else { false } }
    }

    private static func contents(_ number: UInt64, of message: ArraySlice<UInt8>) -> [Content] {
        var rest = message
        var contents: [Content] = []
        while let tag = varint(&rest), let content = content(wireType: tag & 7, &rest) {
            if tag >> 3 == number { contents.append(content) }
        }
        return contents
    }

    private static func content(wireType: UInt64, _ rest: inout ArraySlice<UInt8>) -> Content? {
        switch wireType {
        case 0:
            return varint(&rest).map(Content.number)
        case 1, 5:
            return take(wireType == 1 ? 8 : 4, &rest).map { _ in .fixed }
        case 2:
            return varint(&rest).flatMap { take($0, &rest) }.map(Content.bytes)
        default:
            return nil
        }
    }

    private static func take(_ count: UInt64, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
