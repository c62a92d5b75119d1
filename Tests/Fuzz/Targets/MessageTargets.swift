import CProtobufC
import GateProtocol
import GateScripting

extension FuzzTarget {
    static let messageTargets = [message, messageJSON]

    /// Every message through the scan, libprotobuf-c, its Swift value and its JSON, and back.
    private static let message = FuzzTarget("message", maximumBytes: 12_000) { random in
        let type = random.element(of: WireMessages.all)
        var bytes = RandomMessage(type.descriptor, using: &random).bytes
        if random.chance(1, in: 2) { random.mutate(&bytes) }
        // Now and then more fields than are taken.
        if random.chance(1, in: 40), !bytes.isEmpty {
            bytes = Array(repeatElement(bytes, count: 12_000 / bytes.count).joined())
        }
        return WireMessages.join(type, bytes)
    } check: { input in
        guard let (type, bytes) = WireMessages.split(input) else { return }
        try MessagePromises(type).check(bytes)
    }

    /// What people write for `gatectl call`.
    private static let messageJSON = FuzzTarget("message-json", dictionary: "json") { random in
        let type = random.element(of: WireMessages.all)
        let bytes = RandomMessage(type.descriptor, using: &random).bytes
        var text = Array(((try? MessageJSON.text(of: bytes, as: type.descriptor)) ?? "{}").utf8)
        if random.chance(1, in: 2) { random.mutate(&text) }
        return WireMessages.join(type, text)
    } check: { input in
        guard let (type, text) = WireMessages.split(input),
            let bytes = try? MessageJSON.bytes(from: String(decoding: text, as: UTF8.self), as: type.descriptor)
        else { return }
        try promise(MessagePromises(type).isScanned(bytes), "JSON of \(type.name) became what does not pass the scan")
        let written = try MessageJSON.text(of: bytes, as: type.descriptor)
        try promise(
            try MessageJSON.bytes(from: written, as: type.descriptor) == bytes,
            "JSON of \(type.name) means something else when it is written and read again")
    }
}
