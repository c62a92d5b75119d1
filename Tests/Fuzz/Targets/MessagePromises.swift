import CProtobufC
import GateModel
import GateProtocol
import Glibc
import ProtobufScan

/// What is promised of the bytes of a message: what the scan accepts is unpacked, in bounded memory, to what means the
/// same when it is sent on.
struct MessagePromises {
    private let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    private let type: any WireMessage.Type

    init(_ type: any WireMessage.Type) {
        self.type = type
        descriptor = type.descriptor
    }

    /// `nil`: there is no such message.
    init?(of descriptor: UnsafePointer<ProtobufCMessageDescriptor>) {
        guard let type = WireMessages.byName[String(cString: descriptor.pointee.name)] else { return nil }
        self.init(type)
    }

    func check(_ bytes: [UInt8]) throws {
        try checkUnpacking(bytes)
        let type: any WireMessage.Type = type
        try checkValue(type, bytes)
        try checkJSON(bytes)
    }

    /// libprotobuf-c itself.
    private func checkUnpacking(_ bytes: [UInt8]) throws {
        guard isScanned(bytes) else { return }
        guard let packed = try repacked(bytes) else {
            try promise(MergedMessage.isIn(bytes[...], as: descriptor), "\(type.name) is scanned, but not unpacked")
            return
        }
        try promise(isScanned(packed), "\(type.name) is packed to what does not pass the scan")
        try promise(try repacked(packed) == packed, "\(type.name) is packed to something else the second time")
    }

    /// The Swift value.
    private func checkValue<Message: WireMessage>(_ type: Message.Type, _ bytes: [UInt8]) throws {
        let message: Message
        do throws(GateError) {
            message = try Message(decoding: bytes)
        } catch {
            let isExpected = error.code == .invalidArgument && error.reason == .invalidRequest
            try promise(isExpected, "\(type.name) is refused with \(error)")
            return
        }
        let encoded = message.encoded()
        try promise(isScanned(encoded), "\(type.name) is encoded as what does not pass the scan")
        let again = try Message(decoding: encoded)
        try promise(again == message, "\(type.name) means something else when it is sent on")
        try promise(again.encoded() == encoded, "\(type.name) is encoded in another way the second time")
    }

    /// What `gatectl --json` prints.
    private func checkJSON(_ bytes: [UInt8]) throws {
        guard let text = try? MessageJSON.text(of: bytes, as: descriptor) else {
            try promise(
                !isScanned(bytes) || MergedMessage.isIn(bytes[...], as: descriptor), "\(type.name) has no JSON")
            return
        }
        let read = try MessageJSON.bytes(from: text, as: descriptor)
        let again = try MessageJSON.text(of: read, as: descriptor)
        try promise(again.utf8.elementsEqual(text.utf8), "the JSON of \(type.name) means something else: \(text)")
    }

    func isScanned(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in (try? scan(bytes, as: descriptor)) != nil }
    }

    /// Unpacks with memory from the heap, so that the address sanitizer sees every access beyond a block.
    private func repacked(_ bytes: [UInt8]) throws -> [UInt8]? {
        var bill = UnpackingBill()
        return try withUnsafeMutablePointer(to: &bill) { bill throws in
            var allocator = ProtobufCAllocator(
                alloc: { bill, byteCount in
                    bill?.assumingMemoryBound(to: UnpackingBill.self).pointee.byteCount += byteCount
                    return malloc(byteCount)
                },
                free: { _, memory in free(memory) }, allocator_data: bill)
            let message = protobuf_c_message_unpack(descriptor, &allocator, bytes.count, bytes)
            let limit = UnpackingBill.maximumByteCount(for: bytes)
            let byteCount = bill.pointee.byteCount
            guard let message else { return nil }
            defer { protobuf_c_message_free_unpacked(message, &allocator) }
            try promise(byteCount <= limit, "\(bytes.count) bytes of \(type.name) took \(byteCount) bytes of memory")
            return [UInt8](unsafeUninitializedCapacity: protobuf_c_message_get_packed_size(message) + 1) {
                $1 = protobuf_c_message_pack(message, $0.baseAddress)
            }
        }
    }
}

/// The memory that unpacking a message takes.
private struct UnpackingBill {
    var byteCount = 0

    /// Its bytes, each with a NUL behind it at worst, and for each of 4,096 fields a message of the larger ones.
    static func maximumByteCount(for bytes: [UInt8]) -> Int { 2 * bytes.count + 4096 * 256 }
}
