import GateScripting

extension SeededGenerator {
    mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
        Int.random(in: 0..<denominator, using: &self) < numerator
    }

    mutating func element<Element>(of list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &self)]
    }

    mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &self)).map { _ in .random(in: .min ... .max, using: &self) }
    }

    /// Small ones, those around powers of two, and any.
    mutating func integer() -> UInt64 {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: .random(in: 0..<4, using: &self)
        case 1: (1 << UInt64.random(in: 0..<64, using: &self)) &- .random(in: 0...1, using: &self)
        case 2: 0 &- UInt64.random(in: 0..<4, using: &self)
        default: .random(in: .min ... .max, using: &self)
        }
    }

    /// Mostly text; now and then with a NUL, or not UTF-8 at all.
    mutating func text() -> [UInt8] {
        if chance(1, in: 20) { return bytes(upTo: 8) }
        let characters: [Character] = [
            "a", "Z", "7", " ", "\"", "\\", "\n", "/", "é", "e\u{301}", "÷", "語", "👪", "\u{1}", "\u{FEFF}", "\u{FFFF}",
        ]
        return Array(
            String((0..<Int.random(in: 0..<8, using: &self)).map { _ in characters.randomElement(using: &self)! }).utf8)
    }

    /// A few changes of the kinds that broken peers and attackers make.
    mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard !bytes.isEmpty else {
                bytes = self.bytes(upTo: 16)
                continue
            }
            let index = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<7, using: &self) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self)!
            case 2: bytes.insert(.random(in: .min ... .max, using: &self), at: index)
            case 3: bytes.remove(at: index)
            case 4: bytes.removeLast(bytes.count - index)
            case 5: bytes.insert(contentsOf: bytes[index...].prefix(64), at: index)
            default: bytes.insert(contentsOf: self.bytes(upTo: 8), at: index)
            }
        }
    }
}
