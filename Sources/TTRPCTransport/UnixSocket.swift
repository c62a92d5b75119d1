#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Makes a stream socket that programs started from here do not inherit. Returns -1 where it can't, and sets `errno`.
func unixSocket(isBlocking: Bool = true) -> CInt {
    #if canImport(Musl)
    let (type, closed, waitsNot) = (SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK)
    #else
    let (type, closed, waitsNot) = (SOCK_STREAM.rawValue, SOCK_CLOEXEC.rawValue, SOCK_NONBLOCK.rawValue)
    #endif
    return socket(AF_UNIX, CInt(type | closed | (isBlocking ? 0 : waitsNot)), 0)
}

/// Calls bind(2) from where another function has that name.
func bindSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    bind(descriptor, address, length)
}
