#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The user namespace of this process. In a namespace other than the first (bubblewrap, Flatpak, `unshare -U`) the
/// kernel shows every unmapped user as the same uid, the overflow uid.
enum UserNamespace {
    /// Whether this uid stands for all users that are not mapped.
    static func hides(_ uid: UInt32) -> Bool {
        uid == overflowUID && !knowsEverybody
    }

    private static var overflowUID: UInt32 {
        text(of: "/proc/sys/kernel/overflowuid").flatMap { UInt32($0.prefix { $0 != "\n" }) } ?? 65534
    }

    /// Whether every user is mapped, as in the initial namespace. False if that can't be read.
    private static var knowsEverybody: Bool {
        let map = text(of: "/proc/self/uid_map") ?? ""
        return map.split { $0 == " " || $0 == "\n" } == ["0", "0", "4294967295"]
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
