#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Makes a stream socket that child processes do not inherit. Returns -1 and sets `errno` if it fails.
func unixSocket(isBlocking: Bool = true) -> CInt {
    #if canImport(Musl)
    let (type, closed, waitsNot) = (SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK)
    #else
    let (type, closed, waitsNot) = (SOCK_STREAM.rawValue, SOCK_CLOEXEC.rawValue, SOCK_NONBLOCK.rawValue)
    #endif
    return socket(AF_UNIX, CInt(type | closed | (isBlocking ? 0 : waitsNot)), 0)
}

/// Calls bind(2), for types with a `bind` of their own.
func bindSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    bind(descriptor, address, length)
}
