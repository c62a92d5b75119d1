/// The socket that `gated` listens on unless it is configured otherwise.
package enum DaemonSocket {
    package static let path = "/run/gated/gate.sock"
}
