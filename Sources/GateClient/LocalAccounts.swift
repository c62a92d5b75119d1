import Glibc

/// The users and groups in /etc/passwd and /etc/group. Gate's own are always there.
///
/// Not those of name services: getpwnam loads their libraries, and a statically linked gatectl dies of that. Whoever comes
/// from there can be given as a number.
public enum LocalAccounts {
    /// The uid of a user; `nil` where the device has none of that name.
    public static func userID(named name: String) -> UInt32? {
        id(named: name, inFile: "/etc/passwd")
    }

    /// The gid of a group; `nil` where the device has none of that name.
    public static func groupID(named name: String) -> UInt32? {
        id(named: name, inFile: "/etc/group")
    }

    /// `name:password:id:…`, in both files.
    static func id(named name: String, in text: Substring) -> UInt32? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
            if fields.count > 2, fields[0] == name { return UInt32(fields[2]) }
        }
        return nil
    }

    private static func id(named name: String, inFile path: String) -> UInt32? {
        guard !name.isEmpty, let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0 {
            if let line, let id = id(named: name, in: Substring(String(cString: line))) { return id }
        }
        return nil
    }
}
