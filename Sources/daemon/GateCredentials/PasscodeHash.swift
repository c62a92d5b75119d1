import CCrypt
public import GateModel
import Glibc

/// The hash of a passcode, as crypt(3) makes it: yescrypt by the system's libcrypt (F-25). Slow on purpose, some ten
/// milliseconds: never on an event loop.
public struct PasscodeHash: Hashable, Sendable {
    /// Like "$y$j9T$…". Safe to keep in a file that nobody else reads.
    public let text: String

    /// How long a passcode may be, in bytes of UTF-8.
    public static let byteCounts = 4...128

    /// A hash that was made before.
    public init(text: String) {
        self.text = text
    }

    /// Hashes a new passcode, with a salt of its own.
    /// - Throws: `unsuitable` where it is too short, too long, or no text; `libcrypt` where hashing fails.
    public init(of passcode: GateSecret, using random: inout some RandomNumberGenerator) throws(CredentialError) {
        if let reason = Self.unsuitability(of: passcode) { throw .unsuitable(reason) }
        text = try Self.hash(passcode, setting: Self.setting(using: &random))
    }

    /// Why this can't be a passcode, as a sentence that says what to do; nil: it can.
    public static func unsuitability(of passcode: GateSecret) -> String? {
        unsuitability(of: passcode, called: "passcode")
    }

    /// - Parameter noun: what people call it.
    static func unsuitability(of phrase: GateSecret, called noun: String) -> String? {
        if !byteCounts.contains(phrase.byteCount) {
            return "A \(noun) has \(byteCounts.lowerBound) to \(byteCounts.upperBound) bytes. Choose another one."
        }
        return phrase.withBytes(isText) ? nil : "A \(noun) is text in UTF-8. Choose another one."
    }

    /// Byte by byte: a `String` would leave a copy behind.
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (decoder, rest) = (UTF8(), bytes.makeIterator())
        while true {
            switch decoder.decode(&rest) {
            case .scalarValue(let scalar): if scalar == "\0" { return false }
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    /// Whether this is the passcode. Whatever was typed is hashed once and compared once, so that the time tells nothing
    /// but what it takes to hash.
    /// - Throws: `libcrypt` where the hash is none, or hashing fails.
    public func matches(_ typed: GateSecret) throws(CredentialError) -> Bool {
        try matches(typed, hashing: Self.hash)
    }

    /// - Parameter hash: hashes what was typed, by the setting of an earlier hash.
    func matches(
        _ typed: GateSecret, hashing hash: (GateSecret, String) throws(CredentialError) -> String
    ) throws(CredentialError) -> Bool {
        // What can't be a passcode is not one, and takes as long as what can.
        let isSuitable = Self.unsuitability(of: typed) == nil
        let made = try hash(isSuitable ? typed : GateSecret("none".utf8), text)
        return (GateSecret(made.utf8) == GateSecret(text.utf8)) && isSuitable
    }

    // MARK: libcrypt

    /// Larger than every hash and setting (CRYPT_OUTPUT_SIZE).
    private static let capacity = 384
    /// The salt that yescrypt takes by itself.
    private static let saltByteCount = 16

    private static func setting(using random: inout some RandomNumberGenerator) throws(CredentialError) -> String {
        let salt = (0..<saltByteCount).map { _ in CChar(truncatingIfNeeded: random.next() as UInt64) }
        return try output { phrase_setting(salt, CInt(salt.count), $0, capacity) }
    }

    private static func hash(_ passcode: GateSecret, setting: String) throws(CredentialError) -> String {
        // With the NUL at the end that C wants.
        let phrase = UnsafeMutableRawBufferPointer.allocate(byteCount: passcode.byteCount + 1, alignment: 1)
        defer {
            wipe(phrase)
            phrase.deallocate()
        }
        passcode.withBytes { phrase.copyMemory(from: $0) }
        phrase[passcode.byteCount] = 0
        let characters = UnsafeRawBufferPointer(phrase).bindMemory(to: CChar.self)
        return try output { phrase_hash(characters.baseAddress, setting, $0, capacity) }
    }

    private static func output(
        _ body: (UnsafeMutablePointer<CChar>) -> CInt
    ) throws(CredentialError) -> String {
        var failure: CInt = 0
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer -> String in
            guard let start = buffer.baseAddress else { return "" }
            failure = body(start)
            return failure == 0 ? String(cString: start) : ""
        }
        guard failure == 0 else { throw .libcrypt(errno: failure) }
        return text
    }
}

extension PasscodeHash: CustomStringConvertible {
    public var description: String { "(hash)" }
}
