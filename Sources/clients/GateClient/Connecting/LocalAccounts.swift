#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The users and groups in /etc/passwd and /etc/group, which always contain Gate's own. Name services such as LDAP are
/// not asked: getpwnam would load their libraries, which crashes a statically linked gatectl.
package enum LocalAccounts {
    /// The uid of a user; `nil` if the device has no user of that name.
    package static func userID(named name: String) -> UInt32? {
        id(named: name, inFile: "/etc/passwd")
    }

    /// The gid of a group; `nil` if the device has no group of that name.
    package static func groupID(named name: String) -> UInt32? {
        id(named: name, inFile: "/etc/group")
    }

    /// The name of a user; `nil` if the device has no user with that uid.
    package static func userName(of uid: UInt32) -> String? {
        firstResult(inFile: "/etc/passwd") { name(of: uid, in: $0) }
    }

    /// Lines of both files are `name:password:id:…`.
    static func id(named name: String, in text: Substring) -> UInt32? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
            if fields.count > 2, fields[0] == name { return UInt32(fields[2]) }
        }
        return nil
    }

    static func name(of id: UInt32, in text: Substring) -> String? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
            if fields.count > 2, !fields[0].isEmpty, UInt32(fields[2]) == id { return String(fields[0]) }
        }
        return nil
    }

    private static func id(named name: String, inFile path: String) -> UInt32? {
        name.isEmpty ? nil : firstResult(inFile: path) { id(named: name, in: $0) }
    }

    /// - Parameter find: is given one line at a time, until it returns a result.
    private static func firstResult<Result>(inFile path: String, _ find: (Substring) -> Result?) -> Result? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0 {
            if let line, let result = find(Substring(String(cString: line))) { return result }
        }
        return nil
    }
}
