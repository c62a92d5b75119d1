import GateModel
import Testing

@testable import GateGuardians

@Suite("What a child asks is sealed to the guardians' devices (H-04)")
struct SealedWordsTests {
    private let reader = SigningKey()
    private let id = HouseholdID(String(repeating: "b", count: 32))!
    private let other = HouseholdID(String(repeating: "c", count: 32))!

    private var key: SealingKey { get throws { try #require(SealingKey(reader.secret)) } }

    @Test("only the device that the words are sealed to can open them, and each seal looks different")
    func opened() throws {
        let words = Array("may I?".utf8)
        let sealed = try #require(SealedWords.seal(words, to: try key.publicKey, of: id))
        #expect(SealedWords.open(sealed, with: try key, of: id) == words)
        #expect(SealedWords.open(sealed, with: try key, of: other) == nil)
        #expect(SealedWords.open(sealed, with: try #require(SealingKey(SigningKey().secret)), of: id) == nil)
        #expect(SealedWords.seal(words, to: try key.publicKey, of: id) != sealed)
    }

    @Test("sealed words with any byte changed, missing or added are not opened")
    func changed() throws {
        let sealed = try #require(SealedWords.seal(Array("may I?".utf8), to: try key.publicKey, of: id))
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 0x40
            #expect(SealedWords.open(changed, with: try key, of: id) == nil, "byte \(place)")
            #expect(SealedWords.open(Array(sealed[..<place]), with: try key, of: id) == nil)
        }
        #expect(SealedWords.open(sealed + [0], with: try key, of: id) == nil)
        #expect(SealedWords.seal([1], to: [1, 2, 3], of: id) == nil)
    }

    @Test("the sealing key is derived from the device's key, so it is the same after a restart, but is not that key")
    func derived() throws {
        #expect(try key.publicKey == SealingKey(reader.secret)?.publicKey)
        #expect(try key.publicKey != reader.publicKey && key.publicKey.count == 32)
        #expect(SealingKey(SigningKey().secret)?.publicKey != (try key.publicKey))
    }

    @Test("words are read back as they were signed, and the digest covers exactly their bytes")
    func words() throws {
        let words = RequestWords(
            household: id, device: other, number: 7, purpose: .extendParentMode,
            asked: PresentationContext(
                uid: 0, pid: 0, program: "a/b", gatedAction: "x",
                title: LocalizedText("T", [.init(language: "de", text: "ü")]),
                details: "for 5m", translatedDetails: [.init(language: "de", text: "5 Min")], duration: .seconds(300)))
        #expect(try RequestWords(payload: words.payload) == words)
        var later = words
        later.number = 8
        #expect(SealedWords.digest(words.payload) != SealedWords.digest(later.payload))
        for wrong in ["{}", "[]", "", #"{"version":2}"#] {
            #expect(throws: GuardianError.self) { try RequestWords(payload: Array(wrong.utf8)) }
        }
        let text = String(decoding: words.payload, as: UTF8.self)
        for (from, to) in [("extend-parent-mode", "sign-in"), ("300000", "0"), ("\"version\":1", "\"version\":2")] {
            #expect(throws: GuardianError.self) {
                try RequestWords(payload: Array(text.replacing(from, with: to).utf8))
            }
        }
    }

    @Test(
        "words from another device keep to the same limits of form, length and language as this device's",
        arguments: [
            { $0.program = "a\nb" }, { $0.program = "\u{1B}[2J" }, { $0.program = String(repeating: "p", count: 65) },
            { $0.gatedAction = "Shop.Buy" }, { $0.gatedAction = "shop\0buy" },
            { $0.gatedAction = String(repeating: "a", count: 65) },
            { $0.titles.text = String(repeating: "T", count: 101) }, { $0.titles.text = "T\u{202E}" },
            { $0.titles.text = "T" + String(repeating: "\u{301}", count: 800) },
            { $0.titles.translations = [.init(language: "de", text: "a\nb")] },
            { $0.titles.translations = [.init(language: "no language", text: "a")] },
            { $0.titles.translations = [.init(language: "\u{1B}", text: "a")] },
            { $0.titles.translations = ["zh-CN", "zh-cn"].map { .init(language: $0, text: "a") } },
            { $0.titles.translations = (10..<27).map { .init(language: "de-\($0)", text: "a") } },
            { $0.details = "a\0b" }, { $0.details = String(repeating: "d", count: 4097) }, { $0.details = "\u{2028}" },
            { $0.translatedDetails = [.init(language: "de", text: String(repeating: "d", count: 4097))] },
            { $0.duration = .seconds(7 * 24 * 3600 + 1) },
        ] as [@Sendable (inout PresentationContext) -> Void])
    func malformed(change: @Sendable (inout PresentationContext) -> Void) throws {
        var words = RequestWords(
            household: id, device: other, number: 7, purpose: .authorize,
            asked: PresentationContext(
                uid: 0, pid: 0, program: String(repeating: "p", count: 64), gatedAction: "shop.buy",
                title: LocalizedText(
                    String(repeating: "T", count: 100), (10..<26).map { .init(language: "de-\($0)", text: "ü") }),
                details: String(repeating: "d", count: 4096), duration: .seconds(7 * 24 * 3600)))
        #expect(try RequestWords(payload: words.payload) == words)
        change(&words.asked)
        let error = #expect(throws: GuardianError.self) { try RequestWords(payload: words.payload) }
        #expect(error?.check == .malformed)
    }

    @Test("an answer is a command like others, and has no further fields")
    func answers() throws {
        for isApproved in [true, false] {
            let answer = RequestAnswer(number: 7, shown: Array(repeating: 5, count: 32), isApproved: isApproved)
            let command = GuardianCommand(
                id: id, household: id, device: other, guardian: id, order: .answer(answer), challenge: [],
                expires: WallTime(unixMilliseconds: 9))
            #expect(try GuardianCommand(payload: command.payload) == command)
            let text = String(decoding: command.payload, as: UTF8.self)
            for (from, to) in [
                ("\"request\":7", "\"request\":7,\"reason\":\"x\""), ("\"request\":7,", ""),
                (isApproved ? "approve" : "deny", "lock"), ("BQUF", ""),
            ] {
                let changed = text.replacing(from, with: to)
                #expect(changed != text)
                #expect(throws: GuardianError.self, "\(changed)") { try GuardianCommand(payload: Array(changed.utf8)) }
            }
        }
    }
}
