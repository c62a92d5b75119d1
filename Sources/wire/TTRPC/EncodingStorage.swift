import CProtobufC
import CTTRPC

/// Owns the C memory that a message points to while it is packed. The pointers are valid as long as it lives.
struct EncodingStorage: ~Copyable {
    private var allocations: [UnsafeMutableRawPointer] = []

    deinit {
        for allocation in allocations { allocation.deallocate() }
    }

    mutating func string(_ text: String) -> UnsafeMutablePointer<CChar> {
        let characters = text.utf8CString
        return characters.withUnsafeBufferPointer { source in
            let copy = array(of: CChar.self, count: source.count)
            copy.initialize(from: source.baseAddress!, count: source.count)
            return copy
        }
    }

    mutating func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        let copy = array(of: UInt8.self, count: bytes.count)
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { copy.initialize(from: start, count: source.count) }
        }
        return ProtobufCBinaryData(len: bytes.count, data: copy)
    }

    /// Returns pointers to copies of `messages`, as C's repeated fields need them; `nil` if there are none.
    mutating func messages<Message>(_ messages: [Message]) -> UnsafeMutablePointer<UnsafeMutablePointer<Message>?>? {
        guard !messages.isEmpty else { return nil }
        let copies = array(of: Message.self, count: messages.count)
        let pointers = array(of: UnsafeMutablePointer<Message>?.self, count: messages.count)
        for (index, message) in messages.enumerated() {
            (copies + index).initialize(to: message)
            (pointers + index).initialize(to: copies + index)
        }
        return pointers
    }

    private mutating func array<Element>(of type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
        allocations.append(UnsafeMutableRawPointer(pointer))
        return pointer
    }
}

/// Returns an array of `byteCount` bytes that `pack` has written. `pack` returns how many bytes it wrote.
func packed(byteCount: Int, _ pack: (UnsafeMutablePointer<UInt8>?) -> Int) -> [UInt8] {
    guard byteCount > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in count = pack(buffer.baseAddress) }
}

extension [UInt8] {
    init(copying data: ProtobufCBinaryData) {
        self.init(UnsafeBufferPointer(start: data.data, count: data.len))
    }
}
