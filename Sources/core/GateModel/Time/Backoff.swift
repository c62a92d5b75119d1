/// How long to wait after failures in a row. The longest wait is 2 s after the first failure, and doubles with each
/// further one up to 5 min. The wait is a random part of that, from half to all of it, so that many devices that failed
/// together do not return together; it is never less than 2 s.
package enum Backoff {
    package static let shortest: Duration = .seconds(2)
    package static let longest: Duration = .seconds(5 * 60)

    /// `failures` counts the failures in a row, from 1. `jitter` is a random number from 0 to 1.
    package static func delay(after failures: Int, jitter: Double) -> Duration {
        let doublings = min(max(failures, 1), 17) - 1
        let whole = min(shortest * (1 << doublings), longest)
        return max(shortest, whole * (0.5 + jitter / 2))
    }
}
