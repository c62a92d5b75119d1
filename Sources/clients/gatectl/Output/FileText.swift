import GateModel
import GateTexts
import Glibc

extension GateError {
    /// A file that a person has named can't be opened or read, as `errno` says.
    static func unreadable(_ path: String, _ code: Code = .notFound) -> GateError {
        let number = errno
        let problem = localized(
            "'{path}' can't be read: {error}.", ["path": path, "error": String(cString: strerror(number))])
        let advice: String? =
            switch number {
            case ENOENT: localized("Is this its path?")
            case EACCES: localized("Use `sudo`, or name a copy that you may read.")
            default: nil
            }
        return GateError(code, .invalidRequest, saying: ListText.sentences([problem, advice].compactMap(\.self)))
    }
}
