#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A new stream socket, closed in programs that are started; -1, and `errno`.
func unixSocket(isBlocking: Bool = true) -> CInt {
    #if canImport(Musl)
    let (type, closed, waitsNot) = (SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK)
    #else
    let (type, closed, waitsNot) = (SOCK_STREAM.rawValue, SOCK_CLOEXEC.rawValue, SOCK_NONBLOCK.rawValue)
    #endif
    return socket(AF_UNIX, CInt(type | closed | (isBlocking ? 0 : waitsNot)), 0)
}

/// bind(2), for those who have a function of that name themselves.
func bindSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    bind(descriptor, address, length)
}
