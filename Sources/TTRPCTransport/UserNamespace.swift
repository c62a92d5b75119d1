#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Which users this process can see. In a user namespace of its own (bubblewrap, Flatpak, `unshare -U`) the kernel shows all
/// others as one, the overflow uid: who they are can't be told there.
enum UserNamespace {
    /// Whether this uid stands for all that this namespace does not know.
    static func hides(_ uid: UInt32) -> Bool {
        uid == overflowUID && !knowsEverybody
    }

    private static var overflowUID: UInt32 {
        text(of: "/proc/sys/kernel/overflowuid").flatMap { UInt32($0.prefix { $0 != "\n" }) } ?? 65534
    }

    /// As the first namespace does. Where nobody can say, it is taken for another one.
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
