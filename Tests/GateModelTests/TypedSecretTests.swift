import GateModel
import Testing

@Suite("A secret while it is typed (S-06)")
struct TypedSecretTests {
    private static func bytes(of secret: TypedSecret) -> [UInt8] {
        secret.withPlace { place in Array(place.prefix(32)) }
    }

    private static func text(_ secret: GateSecret) -> String {
        secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a typed secret is what was typed without what was erased, in any script")
    func typed() {
        let secret = TypedSecret()
        for text in ["a", "ё", "漢", "🦄", "x"] { #expect(secret.append(text)) }
        #expect(secret.count == 5)
        for _ in 0..<2 { secret.eraseBackwards() }
        #expect(secret.count == 3)
        #expect(secret.append("z"))
        #expect(Self.text(secret.take()) == "aё漢z")
    }

    @Test("erased, cleared and taken characters are wiped from memory")
    func wiped() {
        let secret = TypedSecret()
        #expect(secret.append("2é"))
        secret.eraseBackwards()
        #expect(Self.bytes(of: secret) == [UInt8(ascii: "2")] + [UInt8](repeating: 0, count: 31))
        secret.clear()
        #expect(Self.bytes(of: secret) == [UInt8](repeating: 0, count: 32))
        #expect(secret.append("2468"))
        #expect(Self.text(secret.take()) == "2468")
        #expect(Self.bytes(of: secret) == [UInt8](repeating: 0, count: 32) && secret.count == 0)
        #expect(secret.take().byteCount == 0)
    }

    @Test("a secret has a maximum length, and erasing at its beginning does nothing")
    func limits() {
        let secret = TypedSecret()
        secret.eraseBackwards()
        #expect(secret.count == 0)
        #expect(secret.append(String(repeating: "x", count: TypedSecret.capacity - 1)))
        #expect(!secret.append("é"))
        #expect(secret.append("y"))
        #expect(!secret.append("z"))
        #expect(secret.count == TypedSecret.capacity)
        #expect(secret.take().byteCount == TypedSecret.capacity)
    }

    @Test("control characters are refused", arguments: ["\n", "\0", "a\u{1b}", "\u{7f}", "\u{85}"])
    func controls(text: String) {
        let secret = TypedSecret()
        #expect(!secret.append(text))
        #expect(secret.count == 0)
    }
}
