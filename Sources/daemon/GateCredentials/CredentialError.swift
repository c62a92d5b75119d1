import Glibc

/// Why a credential could not be made or checked. It contains nothing of the secret.
public enum CredentialError: Error, Hashable, Sendable {
    /// The value can't be a passcode, a password or a key. The sentence says why, and what to do.
    case unsuitable(String)
    case libcrypt(errno: Int32)
}

extension CredentialError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsuitable(let sentence):
            sentence
        case .libcrypt(let number):
            "The system's libcrypt can't hash this (\(String(cString: strerror(number)))). Check that it knows yescrypt."
        }
    }
}
