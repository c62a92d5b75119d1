import GateModel
import Testing

@testable import GateCredentials

@Suite("Codes of an authenticator")
struct TOTPKeyTests {
    /// The key of RFC 6238, appendix B.
    private let key: TOTPKey

    init() throws {
        key = try TOTPKey(GateSecret("12345678901234567890".utf8))
    }

    private func time(_ seconds: Int64) -> WallTime {
        WallTime(unixMilliseconds: seconds * 1000)
    }

    private func text(_ code: GateSecret) -> String {
        code.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The last six of the eight digits in the appendix: fewer digits are the number modulo a smaller power of ten.
    @Test(
        "codes agree with RFC 6238, appendix B",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func vectors(seconds: Int64, code: String) {
        #expect(text(key.code(at: TOTPKey.step(at: time(seconds)))) == String(code.suffix(6)))
    }

    @Test("codes of the first ten steps agree with RFC 4226, appendix D")
    func counterVectors() {
        let expected = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0..<10).map { text(key.code(at: $0)) } == expected)
    }

    @Test("a code is right in its step, and in the one before and after, and no longer", arguments: -3...3)
    func window(offset: Int64) {
        let code = key.code(at: 1000)
        let now = time(1000 * TOTPKey.stepSeconds + offset * TOTPKey.stepSeconds)
        let expected: UInt64? = (-1...1).contains(offset) ? 1000 : nil
        #expect(key.step(of: code, at: now, usedStep: 0) == expected)
    }

    @Test("a step changes exactly at its millisecond")
    func borders() {
        #expect(TOTPKey.step(at: WallTime(unixMilliseconds: 29_999)) == 0)
        #expect(TOTPKey.step(at: WallTime(unixMilliseconds: 30_000)) == 1)
        #expect(TOTPKey.step(at: WallTime(unixMilliseconds: -1)) == 0)
    }

    @Test("each code works once, and uses up the codes before it")
    func onceOnly() throws {
        let now = time(1000 * TOTPKey.stepSeconds)
        let step = try #require(key.step(of: key.code(at: 1000), at: now, usedStep: 0))
        #expect(key.step(of: key.code(at: 1000), at: now, usedStep: step) == nil)
        #expect(key.step(of: key.code(at: 999), at: now, usedStep: step) == nil)
        #expect(key.step(of: key.code(at: 1001), at: now, usedStep: step) == 1001)
    }

    @Test("at the beginning of time there is no step before the first")
    func beginning() {
        #expect(key.step(of: key.code(at: 1), at: time(0), usedStep: 0) == 1)
        #expect(key.step(of: key.code(at: .max), at: time(0), usedStep: 0) == nil)
    }

    @Test(
        "a text that is not a six-digit code is wrong",
        arguments: ["", "28708", "2870821", "28708a", "287 082", "２８７０８２"])
    func notACode(typed: String) {
        #expect(key.step(of: GateSecret(typed.utf8), at: time(59), usedStep: 0) == nil)
    }

    @Test("a key is 20 to 64 bytes", arguments: [0, 19, 20, 64, 65])
    func keyLengths(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        let isKey = (try? TOTPKey(GateSecret(bytes))) != nil
        #expect(isKey == (20...64).contains(count))
    }

    @Test("a key is never printed")
    func notPrinted() {
        #expect("\(key)" == "(key)")
        #expect(!String(reflecting: key).contains("1234"))
    }
}
