/// How long to wait after failures in a row: 2 s, and each time up to twice as long, to 5 min. Between half and all of it, by
/// chance, so that many devices that failed together don't come back together.
package enum Backoff {
    package static let shortest: Duration = .seconds(2)
    package static let longest: Duration = .seconds(5 * 60)

    /// - Parameters:
    ///   - failures: in a row, from 1.
    ///   - jitter: by chance, from 0 to 1.
    package static func delay(after failures: Int, jitter: Double) -> Duration {
        let doublings = min(max(failures, 1), 17) - 1
        let whole = min(shortest * (1 << doublings), longest)
        return max(shortest, whole * (0.5 + jitter / 2))
    }
}
