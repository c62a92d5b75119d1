import CCrypt
public import GateModel
import Glibc

/// The hash of a passcode by crypt(3): yescrypt, from the system's libcrypt. Hashing is slow on purpose, some ten
/// milliseconds, so never do it on an event loop.
public struct PasscodeHash: Hashable, Sendable {
    /// The hash as crypt(3) writes it, like "$y$j9T$…". Keep it only in a file that nobody else can read.
    public let text: String

    /// How many bytes of UTF-8 a passcode may have.
    public static let byteCounts = 4...128

    public init(text: String) {
        self.text = text
    }

    /// Hashes a new passcode with a new salt.
    /// - Throws: `unsuitable` if it is too short, too long, or not text; `libcrypt` if hashing fails.
    public init(of passcode: GateSecret, using random: inout some RandomNumberGenerator) throws(CredentialError) {
        if let reason = Self.unsuitability(of: passcode) { throw .unsuitable(reason) }
        text = try Self.hash(passcode, setting: Self.setting(using: &random))
    }

    /// Why this can't be a passcode, as a sentence that says what to do; `nil` if it can.
    public static func unsuitability(of passcode: GateSecret) -> String? {
        unsuitability(of: passcode, called: "passcode")
    }

    static func unsuitability(of phrase: GateSecret, called noun: String) -> String? {
        if !byteCounts.contains(phrase.byteCount) {
            return "A \(noun) has \(byteCounts.lowerBound) to \(byteCounts.upperBound) bytes. Choose another one."
        }
        return phrase.withBytes(isText) ? nil : "A \(noun) is text in UTF-8. Choose another one."
    }

    /// Decodes byte by byte, because a `String` would leave a copy in memory.
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

    /// Whether this is the passcode. Any input is hashed and compared once, so the time tells nothing about it.
    /// - Throws: `libcrypt` if the stored hash is invalid, or hashing fails.
    public func matches(_ typed: GateSecret) throws(CredentialError) -> Bool {
        try matches(typed, hashing: Self.hash)
    }

    /// - Parameter hash: hashes the input with the setting of an earlier hash.
    func matches(
        _ typed: GateSecret, hashing hash: (GateSecret, String) throws(CredentialError) -> String
    ) throws(CredentialError) -> Bool {
        // An input that can't be a passcode is never right, but takes as long as one that can.
        let isSuitable = Self.unsuitability(of: typed) == nil
        let made = try hash(isSuitable ? typed : GateSecret("none".utf8), text)
        return (GateSecret(made.utf8) == GateSecret(text.utf8)) && isSuitable
    }

    // MARK: libcrypt

    /// More than any hash or setting has (CRYPT_OUTPUT_SIZE).
    private static let capacity = 384
    /// How many bytes of salt yescrypt itself would use.
    private static let saltByteCount = 16

    private static func setting(using random: inout some RandomNumberGenerator) throws(CredentialError) -> String {
        let salt = (0..<saltByteCount).map { _ in CChar(truncatingIfNeeded: random.next() as UInt64) }
        return try output { phrase_setting(salt, CInt(salt.count), $0, capacity) }
    }

    private static func hash(_ passcode: GateSecret, setting: String) throws(CredentialError) -> String {
        // Includes the NUL at the end that C needs.
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
