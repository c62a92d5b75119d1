import Glibc

/// Why settings can't be put into force.
struct HouseholdRefusal: Error, Hashable {
    /// Each is a sentence or two.
    var reasons: [String]
}

/// The file with the private key for the broker. Anyone who can read it can pass for this device there.
struct KeyFile {
    let path: String

    /// - Parameter directory: a relative path begins here.
    init(_ path: String, in directory: String) {
        self.path = path.hasPrefix("/") ? path : "\(directory)/\(path)"
    }

    func check() throws(HouseholdRefusal) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw HouseholdRefusal(
                reasons: [
                    "\(path): The key of this device is not there: \(String(cString: strerror(errno))). Put it there."
                ])
        }
        guard status.st_mode & 0o007 == 0 else {
            throw HouseholdRefusal(
                reasons: [
                    "\(path): Everyone can read the key of this device, and so pretend to be it. Make a new key; or, if nobody else can "
                        + "have read it, run: chmod o= '\(path)'"
                ])
        }
        guard access(path, R_OK) == 0 else {
            throw HouseholdRefusal(
                reasons: [
                    "\(path): gate-household may not read this key. Run: chgrp gate-household '\(path)' && chmod 0640 '\(path)'"
                ]
            )
        }
    }
}
