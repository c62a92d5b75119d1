import Foundation

/// How often a test that repeats itself does so. `make test` takes a few rounds, so that people wait for it; `make test-all` sets
/// `GATE_ALL_ROUNDS=1`, and then each test takes all of its rounds.
public enum TestRounds {
    /// Whether all rounds are wanted.
    public static let areAll = ProcessInfo.processInfo.environment["GATE_ALL_ROUNDS"] == "1"

    /// How many rounds to take: `few`, or `all` if all are wanted.
    public static func count(_ few: Int, all: Int) -> Int { areAll ? all : few }
}
