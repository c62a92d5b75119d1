import GateModel
import GateProtocol
import TestRounds
import Testing

/// Nothing that a peer sends may trap, and every refusal is `INVALID_ARGUMENT`.
@Suite("Malformed messages")
struct MalformedMessageTests {
    @Test(
        "cut, changed and random bytes are read or refused, and never trap", arguments: 0..<sampledMessages.count)
    func mutations(index: Int) throws {
        try survives(sampledMessages[index])
    }

    private func survives<Message: SampledMessage>(_ type: Message.Type) throws {
        for seed in 0..<UInt64(TestRounds.count(20, all: 60)) {
            var random = SplitMix(seed: seed)
            let bytes = Message.sample(using: &random).encoded()
            for length in 0...bytes.count {
                try offer(Array(bytes.prefix(length)), to: type, seed: seed)
            }
            var mutated = bytes
            for _ in 0..<16 {
                mutate(&mutated, using: &random)
                try offer(mutated, to: type, seed: seed)
            }
            try offer(random.bytes(), to: type, seed: seed)
        }
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout SplitMix) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !bytes.isEmpty:
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where !bytes.isEmpty:
            bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
        case 2 where bytes.count < 2000:
            bytes += bytes
        default:
            bytes.insert(random.integer(), at: Int.random(in: 0...bytes.count, using: &random))
        }
    }

    /// A message that can be read is the same when it is written and read again.
    private func offer<Message: WireMessage>(_ bytes: [UInt8], to type: Message.Type, seed: UInt64) throws {
        let message: Message
        do throws(GateError) {
            message = try Message(decoding: bytes)
        } catch {
            #expect(error.code == .invalidArgument && error.reason == .invalidRequest, "seed \(seed)")
            #expect(!error.message.isEmpty)
            return
        }
        let again = try Message(decoding: message.encoded())
        #expect(again == message, "seed \(seed): \(bytes)")
    }

    @Test(
        "each sort of malformed bytes is refused, and the error names the message or field",
        arguments: [
            ("ends in a tag", [0x80], "gate.v1.OverrideModeRequest"),
            ("ends in a length", [0x1A, 0x85], "gate.v1.OverrideModeRequest"),
            ("ends in a string", [0x1A, 5, 0x61], "gate.v1.OverrideModeRequest"),
            (
                "a varint of eleven bytes", [0x08] + [UInt8](repeating: 0xFF, count: 10) + [1],
                "gate.v1.OverrideModeRequest"
            ),
            ("field number 0", [0x00, 1], "gate.v1.OverrideModeRequest"),
            ("a group", [0x1B, 0x1C], "gate.v1.OverrideModeRequest"),
            ("a string as a number", [0x18, 1], "gate.v1.OverrideModeRequest.reason"),
            ("NUL in a string", [0x1A, 3, 0x61, 0, 0x62], "gate.v1.OverrideModeRequest.reason"),
            ("a string that is no UTF-8", [0x1A, 2, 0xC3, 0x28], "gate.v1.OverrideModeRequest.reason"),
        ] as [(String, [UInt8], String)])
    func sorts(what: String, bytes: [UInt8], named: String) {
        let error = #expect(throws: GateError.self) { try OverrideModeRequest(decoding: bytes) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(named) == true, "\(what): \(error?.message ?? "")")
    }

    @Test("a message with more elements than allowed is refused before it is unpacked")
    func tooMany() {
        let bytes = [[UInt8]](repeating: [0x12, 0x00], count: 5000).flatMap { $0 }
        let error = #expect(throws: GateError.self) { try AuditResponse(decoding: bytes) }
        #expect(error?.message.contains("4096") == true)
    }
}
